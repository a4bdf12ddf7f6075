#include <catch2/catch.hpp>

#include "tests/base/things.h"

namespace ranklint::test {

TEST_CASE("what was added under a hash is found under it and under no other") {
  HashIndex<ThingId> index(GENERATE(1, 64));
  constexpr uint32_t kThings = 10'000;  // more than fit without growing
  for (uint32_t thing = 0; thing < kThings; ++thing) index.add(uint64_t{thing} * 7919, ThingId{thing});
  for (uint32_t thing = 0; thing < kThings; ++thing) {
    REQUIRE(find_thing(index, uint64_t{thing} * 7919, thing) == ThingId{thing});
    REQUIRE_FALSE(find_thing(index, uint64_t{thing} * 7919 + 1, thing).valid());
  }
}

TEST_CASE("things of one hash are told apart by what they are") {
  HashIndex<ThingId> index(GENERATE(1, 64));
  for (uint32_t thing = 0; thing < 100; ++thing) index.add(42, ThingId{thing});
  for (uint32_t thing = 0; thing < 100; ++thing) CHECK(find_thing(index, 42, thing) == ThingId{thing});
  CHECK_FALSE(find_thing(index, 42, 100).valid());
}

}  // namespace ranklint::test
