// The words of confidence that are shown, by what was counted.
#include <catch2/catch.hpp>

#include <set>

#include "rules/calibration.h"
#include "rules/rule.h"

namespace ranklint::test {

static std::vector<FindingAssumption> resting_on(std::initializer_list<AssumptionKind> kinds) {
  std::vector<FindingAssumption> evidence;
  for (const AssumptionKind kind : kinds) evidence.push_back({.assumption = {.kind = kind}, .place = {}});
  return evidence;
}

TEST_CASE("what is counted is a rule, a pack of rules, an assumption, a word, or what all share, each once") {
  std::set<std::string_view> known{"", "high"}, met;
  for (const Rule& rule : all_rules()) known.insert({rule.info->code, rule.info->code.substr(0, 3)});
  for (const AssumptionInfo& info : all_assumptions()) known.insert(info.id);
  for (const CountedTrait& counted : counted_traits()) {
    INFO(counted.trait);
    CHECK(known.contains(counted.trait));
    CHECK(met.insert(counted.trait).second);
  }
}

TEST_CASE("what is certain or merely possible stays so, whatever was counted") {
  for (const Rule& rule : all_rules()) {
    CHECK(counted_confidence(rule.info->code, Confidence::Certain) == Confidence::Certain);
    CHECK(counted_confidence(rule.info->code, Confidence::Possible) == Confidence::Possible);
  }
}

TEST_CASE(
    "a finding of a rule that most often was wrong is hidden, and of one that was nearly always right it is high") {
  CHECK(counted_confidence("RL604", Confidence::Likely) == Confidence::Possible);
  CHECK(counted_confidence("RL509", Confidence::High) == Confidence::High);
  CHECK(counted_confidence("RL101", Confidence::High) == Confidence::Likely);
}

TEST_CASE("what a finding rests on counts, each assumption once") {
  using enum AssumptionKind;
  CHECK(counted_confidence("RL101", Confidence::Likely) == Confidence::Likely);
  CHECK(counted_confidence("RL101", Confidence::Likely, resting_on({NamePrior, NamePrior, NamePrior})) ==
        counted_confidence("RL101", Confidence::Likely, resting_on({NamePrior})));
  CHECK(counted_confidence("RL101", Confidence::Likely, resting_on({NamePrior, GroupByName, CalleeByType})) ==
        Confidence::Possible);
}

TEST_CASE("a rule of which nothing was judged has the word of its pack, and of no pack its own") {
  CHECK(counted_confidence("RL199", Confidence::High) == Confidence::Likely);
  CHECK(counted_confidence("TEAM1", Confidence::High) == Confidence::High);
  CHECK(counted_confidence("TEAM1", Confidence::Likely) == Confidence::Likely);
}

}  // namespace ranklint::test
