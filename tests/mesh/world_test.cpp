// Small worlds: how many ranks, their numbers in a group, and who shares one.
#include "analyzer/mesh/world.h"

#include <catch2/catch.hpp>

namespace ranklint {
namespace {

struct Mesh {
  SymbolTable names;
  Axis axis(std::string_view name) { return {.kind = kind_of_axis(name), .name = names.intern(name), .origin = {}}; }
  AxisSet set(std::initializer_list<std::string_view> axes) {
    AxisSet set;
    for (const std::string_view name : axes) set.add(axis(name));
    return set;
  }
};

using Ranks = std::vector<uint32_t>;
const AxisSet kAll{.world = true, .axes = {}};

std::vector<int64_t> coordinates(const World& world, const AxisSet& group) {
  std::vector<int64_t> all;
  for (uint32_t rank = 0; rank < world.size(); ++rank) all.push_back(world.coordinate(rank, group));
  return all;
}

}  // namespace

TEST_CASE("a world that names no axis has four ranks") {
  const World world{AxisSet{}};
  CHECK(world.size() == 4);
  CHECK(world.size(kAll) == 4);
  CHECK(world.members(2, kAll) == Ranks{0, 1, 2, 3});
  CHECK(coordinates(world, kAll) == std::vector<int64_t>{0, 1, 2, 3});
}

TEST_CASE("along each named axis there are two ranks, and two of the rest: a group is not the world") {
  Mesh mesh;
  const World world(mesh.set({"dp", "tp"}));
  CHECK(world.size() == 8);
  const AxisSet dp = mesh.set({"dp"}), tp = mesh.set({"tp"}), both = mesh.set({"dp", "tp"});
  CHECK(world.size(tp) == 2);
  CHECK(world.size(both) == 4);
  CHECK(coordinates(world, tp) == std::vector<int64_t>{0, 1, 0, 1, 0, 1, 0, 1});  // the last axis is the fastest
  CHECK(coordinates(world, dp) == std::vector<int64_t>{0, 0, 1, 1, 0, 0, 1, 1});
  CHECK(world.members(5, tp) == Ranks{4, 5});
  CHECK(world.members(5, dp) == Ranks{5, 7});
  CHECK(world.members(5, both) == Ranks{4, 5, 6, 7});
}

TEST_CASE("the members of a group are numbered one by one from 0") {
  Mesh mesh;
  const World world(mesh.set({"dp", "tp"}), {.along = {{mesh.axis("dp"), 3}, {mesh.axis("tp"), 3}}});
  REQUIRE(world.size() == 18);
  for (const AxisSet& group : {mesh.set({"dp"}), mesh.set({"tp"}), mesh.set({"dp", "tp"}), mesh.set({"local"}), kAll})
    for (uint32_t rank = 0; rank < world.size(); ++rank) {
      const Ranks members = world.members(rank, group);
      INFO("rank " << rank << " in " << describe(group, mesh.names));
      CHECK(members.size() == world.size(group));
      for (size_t i = 0; i < members.size(); ++i) {
        CHECK(world.coordinate(members[i], group) == static_cast<int64_t>(i));
        CHECK(world.members(members[i], group) == members);
      }
    }
}

TEST_CASE("a machine has half of the ranks, so that each number on a machine occurs twice") {
  Mesh mesh;
  const World world{AxisSet{}};
  CHECK(coordinates(world, mesh.set({"local"})) == std::vector<int64_t>{0, 1, 0, 1});
  CHECK(coordinates(world, mesh.set({"node"})) == std::vector<int64_t>{0, 0, 1, 1});
  CHECK(world.members(3, mesh.set({"local"})) == Ranks{2, 3});
  CHECK(world.members(3, mesh.set({"node"})) == Ranks{1, 3});
}

TEST_CASE("a world is as large as a condition needs it, up to a limit") {
  Mesh mesh;
  const auto needing = [](uint32_t ranks) { return WorldNeeds{.along = {}, .ranks = ranks}; };
  CHECK(World(AxisSet{}, needing(7)).size() == 8);  // an even number, for two machines
  CHECK(World(AxisSet{}, needing(1000)).size() == World::kMostRanks);
  const auto along = [&](uint32_t ranks) {
    return World(mesh.set({"tp"}), {.along = {{mesh.axis("tp"), ranks}}}).size(mesh.set({"tp"}));
  };
  CHECK(along(1) == 2);
  CHECK(along(3) == 3);
  CHECK(along(100) == World::kMostAlong);
  CHECK(World::flat(100).size() == 100);
}

TEST_CASE("of more axes than a world distinguishes the rest share the outer dimension") {
  Mesh mesh;
  const World world(mesh.set({"a", "b", "c", "d"}));
  CHECK(world.size() == 16);
  CHECK(coordinates(world, mesh.set({"d"})) == std::vector<int64_t>(16, 0));
  CHECK(world.members(3, mesh.set({"d"})) == Ranks{3});
}

TEST_CASE("ranks of one colour form a group, and who is in none is alone and has the number -1") {
  Mesh mesh;
  World world{AxisSet{}};
  const AxisSet part = mesh.set({"part"});
  world.split(mesh.axis("part"), {7, World::kInNoGroup, 7, 9});
  CHECK(coordinates(world, part) == std::vector<int64_t>{0, -1, 1, 0});
  CHECK(world.members(2, part) == Ranks{0, 2});
  CHECK(world.members(1, part) == Ranks{1});
  CHECK(world.members(3, part) == Ranks{3});
  CHECK(world.size(part) == 2);
}

TEST_CASE("needs add up to the largest of each, and to the smallest sizes") {
  Mesh mesh;
  WorldNeeds needs{.along = {{mesh.axis("tp"), 2}}, .ranks = 5, .questions = 1, .sizes = {9, 12}};
  needs.add(
      {.along = {{mesh.axis("tp"), 4}, {mesh.axis("dp"), 3}}, .ranks = 3, .large = 40, .questions = 1, .sizes = {6}});
  CHECK(needs.along == std::map<Axis, uint32_t>{{mesh.axis("tp"), 4}, {mesh.axis("dp"), 3}});
  CHECK(needs.ranks == 5);
  CHECK(needs.large == 40);
  CHECK(needs.sizes == std::set<uint32_t>{6, 9});
  CHECK_FALSE(needs.depends_on_size());
  needs.add({.tests_last_rank = true});
  CHECK(needs.depends_on_size());
}

}  // namespace ranklint
