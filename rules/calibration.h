// The word of confidence that a finding is shown with: what was counted on findings that people have judged.
#pragma once

#include <optional>
#include <span>

#include "rules/finding.h"

namespace ranklint {

// Of 100 findings of a rule, or of all rules whose code begins so, that the analysis arrived at with a word: how many
// are real.
struct CountedWord {
  std::string_view code;
  Confidence arrived_at;
  int real;
  std::optional<AssumptionKind> rests_on = std::nullopt;  // only of those that rest on such an assumption
};

// Sorted by code. docs/calibration.md says how they come about.
std::span<const CountedWord> counted_words();

// High where at least 90 of 100 such findings are real, else Likely. What is certain or merely possible stays so, and
// so does every word where nothing was judged.
// What it rests on counts where such findings of the rule were judged by themselves.
Confidence counted_confidence(std::string_view code, Confidence arrived_at,
                              std::span<const FindingAssumption> evidence = {});

}  // namespace ranklint
