#include <catch2/catch.hpp>

#include "analyzer/base/work_limit.h"

namespace ranklint {

TEST_CASE("without a limit work has no end") {
  for (int i = 0; i < 10; ++i) charge_work(UINT32_MAX);
}

TEST_CASE("work up to the limit is done, and none past it") {
  const WorkLimit limit(10);
  charge_work(4);
  CHECK(limit.used() == 4);
  charge_work(6);
  CHECK_THROWS_AS(charge_work(), WorkLimitReached);
}

TEST_CASE("where a limit was met nothing more is done under it, however little") {
  const WorkLimit limit(10);
  CHECK_THROWS_AS(charge_work(11), WorkLimitReached);
  CHECK_THROWS_AS(charge_work(1), WorkLimitReached);
}

TEST_CASE(
    "work under an inner limit is not charged to the outer one, and meeting the inner one leaves the outer one whole") {
  const WorkLimit outer(10);
  charge_work(3);
  {
    const WorkLimit inner(100);
    charge_work(100);
    CHECK_THROWS_AS(charge_work(), WorkLimitReached);
  }
  CHECK(outer.used() == 3);
  charge_work(7);
  CHECK_THROWS_AS(charge_work(), WorkLimitReached);
}

TEST_CASE("a limit ends with its scope") {
  {
    const WorkLimit limit(0);
  }
  charge_work(1000);
}

}  // namespace ranklint
