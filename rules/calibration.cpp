#include "rules/calibration.h"

#include <algorithm>
#include <optional>

namespace ranklint {

constexpr int kHigh = 220;    // in hundredths of the logarithm of the odds: 9 to 1
constexpr int kLikely = -41;  // 2 to 3
constexpr size_t kPack = 3;   // "RL1"

std::span<const CountedTrait> counted_traits() {
  static constexpr CountedTrait kTraits[] = {
#include "rules/calibration.inc"
  };
  return kTraits;
}

static std::optional<int> counted(std::string_view trait) {
  const auto found = std::ranges::find(counted_traits(), trait, &CountedTrait::trait);
  return found == counted_traits().end() ? std::nullopt : std::optional(found->adds);
}

static int added_by(std::string_view trait) { return counted(trait).value_or(0); }

Confidence counted_confidence(std::string_view code, Confidence arrived_at,
                              std::span<const FindingAssumption> evidence) {
  const bool is_fixed = arrived_at == Confidence::Certain || arrived_at == Confidence::Possible;
  if (is_fixed || !counted(code.substr(0, kPack))) return arrived_at;
  int odds = added_by("") + added_by(code.substr(0, kPack)) + added_by(code);
  if (arrived_at == Confidence::High) odds += added_by("high");
  for (const AssumptionInfo& info : all_assumptions()) {
    const auto is_it = [&](const FindingAssumption& resting) { return resting.assumption.kind == info.kind; };
    if (std::ranges::any_of(evidence, is_it)) odds += added_by(info.id);
  }
  return odds >= kHigh ? Confidence::High : odds >= kLikely ? Confidence::Likely : Confidence::Possible;
}

}  // namespace ranklint
