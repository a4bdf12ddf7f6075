#include <catch2/catch.hpp>

#include "analyzer/base/hash_index.h"

namespace ranklint {
namespace {

using ThingId = Id<struct ThingTag>;

ThingId find(const HashIndex<ThingId>& index, uint64_t hash, uint32_t thing) {
  return index.find(hash, [thing](ThingId id) { return id.index == thing; });
}

}  // namespace

TEST_CASE("what was added under a hash is found under it and under no other") {
  HashIndex<ThingId> index;
  constexpr uint32_t kThings = 10'000;  // more than fit without growing
  for (uint32_t thing = 0; thing < kThings; ++thing) index.add(uint64_t{thing} * 7919, ThingId{thing});
  for (uint32_t thing = 0; thing < kThings; ++thing) {
    REQUIRE(find(index, uint64_t{thing} * 7919, thing) == ThingId{thing});
    REQUIRE_FALSE(find(index, uint64_t{thing} * 7919 + 1, thing).valid());
  }
}

TEST_CASE("things of one hash are told apart by what they are") {
  HashIndex<ThingId> index;
  for (uint32_t thing = 0; thing < 100; ++thing) index.add(42, ThingId{thing});
  for (uint32_t thing = 0; thing < 100; ++thing) CHECK(find(index, 42, thing) == ThingId{thing});
  CHECK_FALSE(find(index, 42, 100).valid());
}

}  // namespace ranklint
