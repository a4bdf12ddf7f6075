#include "rules/calibration.h"

namespace ranklint {

constexpr int kRealOfHigh = 90;

std::span<const CountedWord> counted_words() {
  static constexpr CountedWord kWords[] = {
#include "rules/calibration.inc"
  };
  return kWords;
}

Confidence counted_confidence(std::string_view code, Confidence arrived_at) {
  const CountedWord* closest = nullptr;
  for (const CountedWord& word : counted_words())
    if (word.arrived_at == arrived_at && code.starts_with(word.code) &&
        (!closest || word.code.size() > closest->code.size()))
      closest = &word;
  if (!closest) return arrived_at;
  return closest->real >= kRealOfHigh ? Confidence::High : Confidence::Likely;
}

}  // namespace ranklint
