// How the rounds of a loop are folded in the steps of a witness.
#include "rules/witness_rounds.h"

#include <catch2/catch.hpp>
#include <string>

using namespace ranklint;

namespace {

std::vector<WitnessStep> steps_of(const std::vector<std::string>& texts) {
  std::vector<WitnessStep> steps(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) steps[i].text = texts[i];
  return steps;
}

// What is left, with a space between two.
std::string folded(const std::vector<std::string>& texts) {
  std::vector<WitnessStep> steps = steps_of(texts);
  fold_rounds(steps);
  std::string all;
  for (const WitnessStep& step : steps) all += (all.empty() ? "" : " | ") + step.text;
  return all;
}

}  // namespace

TEST_CASE("a few rounds stay as they are") { CHECK(folded({"a", "b", "a", "b", "c"}) == "a | b | a | b | c"); }

TEST_CASE("of many rounds two are shown, and what follows") {
  std::vector<std::string> texts{"start"};
  for (int i = 0; i < 500; ++i) texts.insert(texts.end(), {"a", "b"});
  texts.insert(texts.end(), {"a", "end"});
  CHECK(folded(texts) == "start | a | b | a | b | and so on, 498 more rounds | a | end");
}

TEST_CASE("the step that a rank waits at is shown, also where it is the loop's") {
  CHECK(folded({"a", "a", "a", "a", "a", "a", "a"}) == "a | a | and so on, 4 more rounds | a");
}
