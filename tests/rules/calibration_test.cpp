// The words of confidence that are shown, by what was counted.
#include <catch2/catch.hpp>

#include <algorithm>

#include "rules/calibration.h"

namespace ranklint::test {

TEST_CASE("a word is shown as often as it was real, and nothing is hidden or brought out") {
  for (const CountedWord& word : counted_words()) {
    INFO(word.code);
    std::vector<FindingAssumption> evidence;
    if (word.rests_on) evidence.push_back({.assumption = {.kind = *word.rests_on}, .place = {}});
    CHECK(counted_confidence(word.code, word.arrived_at, evidence) ==
          (word.real >= 90 ? Confidence::High : Confidence::Likely));
    CHECK(counted_confidence(word.code, Confidence::Certain) == Confidence::Certain);
    CHECK(counted_confidence(word.code, Confidence::Possible) == Confidence::Possible);
  }
}

TEST_CASE("a finding that rests on a sharded model of which nothing speaks is counted by itself") {
  const auto counted = [](std::optional<AssumptionKind> rests_on) {
    const auto word = std::ranges::find_if(counted_words(), [&](const CountedWord& w) {
      return w.code == "RL501" && w.arrived_at == Confidence::Likely && w.rests_on == rests_on;
    });
    REQUIRE(word != counted_words().end());
    return word->real;
  };
  CHECK(counted(AssumptionKind::ModelSharded) < counted(std::nullopt));
}

TEST_CASE("a rule of which nothing was judged has the word of its pack, and of no pack its own") {
  const CountedWord pack = counted_words().front();
  CHECK(counted_confidence(std::string(pack.code) + "99", pack.arrived_at) ==
        (pack.real >= 90 ? Confidence::High : Confidence::Likely));
  CHECK(counted_confidence("TEAM1", Confidence::High) == Confidence::High);
  CHECK(counted_confidence("TEAM1", Confidence::Likely) == Confidence::Likely);
}

}  // namespace ranklint::test
