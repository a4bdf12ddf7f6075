// What a case expects against what the rules found in it.
#pragma once

#include <string>
#include <vector>

#include "rules/finding.h"
#include "tests/rules/cases.h"

namespace ranklint::test {

struct Comparison {
  std::vector<std::string> malformed;  // expectations that can not be read
  std::vector<Expectation> expected;   // findings and notes, as they stand in the case
  std::vector<Expectation> missing;    // expected and not found
  std::vector<Finding> surplus;        // found and not expected
  bool agrees() const { return malformed.empty() && missing.empty() && surplus.empty(); }
};

// Findings that are only `possible` meet an expectation of silence, no other, and do not count as surplus; but those
// that are hidden by the count of judged findings alone are expected like others. Of a rule that is off by default only
// the case's own rule counts.
Comparison compare(const Case& c, const std::vector<Finding>& findings);

// The difference, a line per item, `-` for missing and `+` for surplus, with places from the
// repository's root.
std::string describe(const Case& c, const Comparison& comparison);

// Rewrites the case's files so that they expect what was found.
void update(const Case& c, const Comparison& comparison);

}  // namespace ranklint::test
