// The word of confidence that a finding is shown with: what was counted on findings that somebody has judged.
#pragma once

#include <span>

#include "rules/finding.h"

namespace ranklint {

// Of 100 findings of a rule, or of all rules whose code begins so, that the analysis arrived at with a word: how many
// are real.
struct CountedWord {
  std::string_view code;
  Confidence arrived_at;
  int real;
};

// Sorted by code. docs/calibration.md says how they come about.
std::span<const CountedWord> counted_words();

// High where at least 90 of 100 such findings are real, else Likely. What is certain or merely possible stays so, and
// so does every word where nothing was judged.
Confidence counted_confidence(std::string_view code, Confidence arrived_at);

}  // namespace ranklint
