#include <catch2/catch.hpp>

#include "analyzer/base/contain.h"
#include "analyzer/evidence/assurance.h"

namespace ranklint::test {

TEST_CASE("what has no doubt is as sure as it was said to be") {
  const Assurance sure = Confidence::High;
  CHECK(sure.degree() == Confidence::High);
  CHECK(sure.doubts().empty());
}

TEST_CASE("what is doubted is possible, and says why and where") {
  Assurance sure = Confidence::High;
  sure.doubt({Reason::TakesTurns, {FunctionKey{3}, {7, 5, 7, 9}}});
  CHECK(sure.degree() == Confidence::Possible);
  REQUIRE(sure.doubts().size() == 1);
  CHECK(sure.doubts()[0].reason == Reason::TakesTurns);
  CHECK(sure.doubts()[0].place.function == FunctionKey{3});
  CHECK(sure.doubts()[0].place.range.line == 7);
}

TEST_CASE("nothing is possible without a reason") {
  CHECK(contain([] { Assurance sure = Confidence::Possible; }).has_value());
}

TEST_CASE("the lower of two has the doubts of both") {
  Assurance sure = Doubt{Reason::TakesTurns};
  sure.lower_to(Confidence::Likely);
  CHECK(sure.degree() == Confidence::Possible);
  sure.lower_to(Doubt{Reason::MetBefore});
  REQUIRE(sure.doubts().size() == 2);
  CHECK(sure.doubts()[1].reason == Reason::MetBefore);
  CHECK(lower_of(Confidence::Certain, Confidence::Likely).degree() == Confidence::Likely);
}

TEST_CASE("the lower of two rests on what both rest on, and is no less sure for it") {
  Assurance sure = Confidence::High;
  sure.assume({.kind = AssumptionKind::NamePrior, .subject = "is_main"});
  Assurance other = Confidence::Certain;
  other.assume({.kind = AssumptionKind::GroupHasMembers, .subject = "tp"});
  sure.lower_to(other);
  CHECK(sure.degree() == Confidence::High);
  REQUIRE(sure.assumptions().size() == 2);
  CHECK(sure.assumptions()[1].subject == "tp");
}

}  // namespace ranklint::test
