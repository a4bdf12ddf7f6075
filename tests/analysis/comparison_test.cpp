// A fact too many and a fact too few are both reported, so that the files can fail.
#include <catch2/catch.hpp>

#include "tests/analysis/comparison.h"

namespace ranklint::test {

namespace {

using Lines = std::vector<std::string>;

Lines compared(const std::vector<StatedFact>& stated, const std::vector<Fact>& produced) {
  return differences("f.ir", stated, by_line(produced));
}

}  // namespace

TEST_CASE("what is stated and produced is no difference") {
  CHECK(compared({{3, "varies[tp]"}}, {{3, "varies[tp]"}}).empty());
  CHECK(compared({{3, "b"}, {3, "a"}}, {{3, "a"}, {3, "b"}, {3, "a"}}).empty());
}

TEST_CASE("a stated fact that is not produced is told with what is") {
  CHECK(compared({{3, "varies[tp]"}}, {}) == Lines{"f.ir:3: expected `varies[tp]`, got ``"});
  CHECK(compared({{3, "varies[tp]"}}, {{3, "uniform", true}}) == Lines{"f.ir:3: expected `varies[tp]`, got `uniform`"});
  CHECK(compared({{3, "a"}, {3, "a"}}, {{3, "a"}}) == Lines{"f.ir:3: expected `a`, got `a`"});
  CHECK(compared({{4, "a"}}, {{3, "a"}}).size() == 2);
}

TEST_CASE("a produced fact that no line states is told, unless it need not be stated") {
  CHECK(compared({}, {{7, "diverge"}}) == Lines{"f.ir:7: expected nothing, got `diverge`"});
  CHECK(compared({{7, "diverge"}}, {{7, "diverge"}, {7, "converge"}}) ==
        Lines{"f.ir:7: expected nothing, got `converge`"});
  CHECK(compared({}, {{7, "uniform", true}}).empty());
  CHECK(compared({{7, "uniform"}}, {{7, "uniform", true}}).empty());
}

TEST_CASE("a comment begins where the code ends, outside of quotes") {
  CHECK(end_of_code("  x = 1   ; uniform") == 7);
  CHECK(end_of_code("  x = \";\" ; uniform") == 9);
  CHECK(end_of_code("; prose") == 0);
  CHECK(end_of_code("") == 0);
}

}  // namespace ranklint::test
