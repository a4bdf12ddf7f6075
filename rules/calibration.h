// The word of confidence that a finding is shown with: what was counted on findings that people have judged.
#pragma once

#include <span>
#include <string_view>

#include "rules/finding.h"

namespace ranklint {

// What a trait of a finding adds to the logarithm of the odds that it is real, in hundredths.
struct CountedTrait {
  // "" for what all share, "high" where the analysis arrived at that, a rule's code or what the codes of its pack begin
  // with, or the id of an assumption that it rests on.
  std::string_view trait;
  int adds;
};

// Each trait once. docs/calibration.md says how they come about.
std::span<const CountedTrait> counted_traits();

// High where at least 90 of 100 such findings are real, Likely where at least 40 are, else Possible. What is certain or
// merely possible stays so, and so does what a rule has found of whose pack nothing was judged.
Confidence counted_confidence(std::string_view code, Confidence arrived_at,
                              std::span<const FindingAssumption> evidence = {});

}  // namespace ranklint
