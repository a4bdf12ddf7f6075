// Stores that are laid over others: several threads share what is below, and each has its own.
#include <catch2/catch.hpp>

#include <map>
#include <string>

#include "analyzer/base/overlaid_map.h"
#include "analyzer/base/stable.h"
#include "analyzer/base/symbols.h"
#include "tests/base/things.h"

namespace ranklint::test {
namespace {

using Things = StableVector<ThingId, std::string>;

}  // namespace

TEST_CASE("a vector over another has its elements and gives its own ids that it does not have") {
  Things below;
  const ThingId old = below.push_back("old");
  const std::string* const place = &below[old];
  Things above = Things::over(below), beside = Things::over(below);
  const ThingId first = above.push_back("first");
  CHECK(&above[old] == place);
  CHECK(above[first] == "first");
  CHECK_FALSE(below.contains(first));
  CHECK(beside[beside.push_back("other")] == "other");
  CHECK(above[first] == "first");
}

TEST_CASE("a vector over one of many pieces goes on behind the last") {
  Things below;
  for (int i = 0; i < 5000; ++i) below.push_back(std::to_string(i));
  Things above = Things::over(below);
  std::vector<ThingId> own;
  for (int i = 0; i < 5000; ++i) own.push_back(above.push_back("own " + std::to_string(i)));
  CHECK(above[ThingId{4999}] == "4999");
  for (int i = 0; i < 5000; ++i) REQUIRE(above[own[static_cast<size_t>(i)]] == "own " + std::to_string(i));
}

TEST_CASE("an index over another finds what either has") {
  HashIndex<ThingId> below;
  below.add(7, ThingId{1});
  HashIndex<ThingId> above = HashIndex<ThingId>::over(below);
  above.add(7, ThingId{2});
  CHECK(find_thing(above, 7, 1) == ThingId{1});
  CHECK(find_thing(above, 7, 2) == ThingId{2});
  CHECK_FALSE(find_thing(below, 7, 2).valid());
}

TEST_CASE("a table of symbols over another knows the spellings of both") {
  SymbolTable below;
  const Symbol rank = below.intern("rank");
  SymbolTable above = SymbolTable::over(below);
  CHECK(above.intern("rank") == rank);
  const Symbol world = above.intern("world");
  CHECK(above.intern("world") == world);
  CHECK(above.text(rank) == "rank");
  CHECK(above.text(world) == "world");
  CHECK(above.size() == 2);
  CHECK_FALSE(below.find("world").valid());
}

TEST_CASE("a map over another has what that one has until it has its own") {
  OverlaidMap<std::map<int, std::string>> below;
  below.set(1, "one");
  auto above = OverlaidMap<std::map<int, std::string>>::over(below);
  CHECK(*above.find(1) == "one");
  CHECK(above.find(2) == nullptr);
  above.set(1, "another");
  CHECK(*above.find(1) == "another");
  CHECK(*below.find(1) == "one");
}

}  // namespace ranklint::test
