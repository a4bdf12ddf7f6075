#include "rules/calibration.h"

#include <algorithm>
#include <utility>

namespace ranklint {

constexpr int kRealOfHigh = 90;

std::span<const CountedWord> counted_words() {
  static constexpr CountedWord kWords[] = {
#include "rules/calibration.inc"
  };
  return kWords;
}

static bool is_about(const CountedWord& word, std::span<const FindingAssumption> evidence) {
  return !word.rests_on || std::ranges::any_of(evidence, [&](const FindingAssumption& resting) {
    return resting.assumption.kind == *word.rests_on;
  });
}

Confidence counted_confidence(std::string_view code, Confidence arrived_at,
                              std::span<const FindingAssumption> evidence) {
  const CountedWord* closest = nullptr;
  const auto closeness = [](const CountedWord& word) { return std::pair(word.code.size(), word.rests_on.has_value()); };
  for (const CountedWord& word : counted_words())
    if (word.arrived_at == arrived_at && code.starts_with(word.code) && is_about(word, evidence) &&
        (!closest || closeness(word) > closeness(*closest)))
      closest = &word;
  if (!closest) return arrived_at;
  return closest->real >= kRealOfHigh ? Confidence::High : Confidence::Likely;
}

}  // namespace ranklint
