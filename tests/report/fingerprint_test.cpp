#include "app/report/fingerprint.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/report/samples.h"

namespace ranklint::test {

using report::fingerprints;
using report::line_hashes;

namespace {

Finding moved_down(Finding finding, uint32_t lines) {
  finding.primary.range.line += lines;
  finding.primary.range.end_line += lines;
  return finding;
}

}  // namespace

TEST_CASE("a fingerprint stays when lines are inserted above") {
  const std::vector<Finding> before{guarded_constructor()};
  const std::vector<Finding> after{moved_down(guarded_constructor(), 40)};
  CHECK(fingerprints(before, {}).findings == fingerprints(after, {}).findings);
}

TEST_CASE("findings that differ in rule, function, key or file have different fingerprints") {
  std::vector<Finding> findings(5, guarded_constructor());
  findings[1].rule = "other-rule";
  findings[2].function = "train.loop.other";
  findings[3].fingerprint_key = "other";
  findings[4].primary.path = "other.py";
  std::vector<std::string> prints = fingerprints(findings, {}).findings;
  for (const std::string& print : prints) CHECK(print.size() == 16);
  std::sort(prints.begin(), prints.end());
  CHECK(std::unique(prints.begin(), prints.end()) == prints.end());
}

TEST_CASE("findings that agree in everything but the place are numbered") {
  const std::vector<Finding> findings{guarded_constructor(), moved_down(guarded_constructor(), 5)};
  const std::vector<std::string> prints = fingerprints(findings, {}).findings;
  CHECK(prints[0] != prints[1]);
}

TEST_CASE("suppressing the first of two leaves the second its fingerprint") {
  const Finding first = guarded_constructor();
  const Finding second = moved_down(guarded_constructor(), 5);
  const std::vector<Finding> both{first, second};
  const std::vector<Finding> rest{second};
  const std::vector<SuppressedFinding> suppressed{{first, "", {}}};
  CHECK(fingerprints(rest, suppressed).findings[0] == fingerprints(both, {}).findings[1]);
  CHECK(fingerprints(rest, suppressed).suppressed[0] == fingerprints(both, {}).findings[0]);
}

// The figures come from another implementation, SARIF Multitool 5.7.0 (rewrite --insert
// RollingHashPartialFingerprints).
TEST_CASE("a line hash is the one that GitHub computes") {
  const std::vector<std::string> hashes = line_hashes(sample_source("train/große läufe.py"));
  REQUIRE(hashes.size() == 7);
  CHECK(hashes[1] == "41919237c4ff39b9:1");
  CHECK(hashes[3] == "cfb9200dac3c19b6:1");
  CHECK(hashes[5] == "d9ebd24fce30bc54:1");
  CHECK(hashes[6] == "c129715d7a2bc9a3:1");
}

TEST_CASE("a line hash ignores blanks and the kind of line end") {
  CHECK(line_hashes("if x:\n\ty()\n") == line_hashes("if x:\r\n  y ( )\r\n"));
  CHECK(line_hashes("if x:\n") != line_hashes("if z:\n"));
}

TEST_CASE("equal lines with equal text after them are numbered") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "x\n";
  const std::vector<std::string> hashes = line_hashes(text);
  CHECK(hashes[0].ends_with(":1"));
  CHECK(hashes[1] == hashes[0].substr(0, hashes[0].size() - 1) + "2");
}

}  // namespace ranklint::test
