// In which worlds the ranks of a function are compared, by what its conditions ask.
#include "analyzer/execution/compared_worlds.h"

#include <catch2/catch.hpp>

#include "analyzer/product/check_order.h"
#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

// "33, 4, 18": a large world where there is one, the small one, and the others.
std::string worlds(const std::string& condition, const std::string& group = "") {
  const Asked asked(
      "func f(x, n) {\n^entry:\n  rank = call dist.get_rank()\n  size = call dist.get_world_size()\n"
      "  tp = call mpu.get_tensor_model_parallel_rank()\n  tp_group = call mpu.get_tensor_model_parallel_group()\n"
      "  branch " +
          condition + " ? ^then : ^join\n^then:\n  call dist.barrier(" + group +
          ")\n  jump ^join\n^join:\n  return\n}\n",
      "  from megatron.core import mpu as mpu\n");
  const Summary& s = asked.summary("f");
  CheckOrder order(asked.in());
  order.put_in_order();
  const WorldNeeds& needs = order.needs(asked.function("f"));
  const ComparedWorlds compared(asked.in());
  const std::vector<UsedGroup> groups = compared.groups_of(s);
  REQUIRE(groups.size() == 1);
  AxisSet axes = groups[0].axes.world ? AxisSet{} : groups[0].axes;
  compared.collect_axes(s, axes);
  const auto small = compared.world_of(axes, groups, {});
  const auto large = compared.large_world(axes, needs);
  std::string text = large ? std::to_string(large->size()) + ", " : "";
  text += std::to_string(small->size());
  for (const auto& world : compared.other_worlds(axes, groups, *small, needs))
    text += ", " + std::to_string(world->size());
  return text;
}

}  // namespace

TEST_CASE("a function that names no axis is compared in a world of four, and in more where it asks for a number") {
  CHECK(worlds("rank == 0") == "4");
  CHECK(worlds("x") == "4");
  CHECK(worlds("rank == 5") == "4, 6");
  CHECK(worlds("rank >= 32") == "33, 4, 18");
}

TEST_CASE("a size that is asked for is a world of its own, and a last rank is looked at in others too") {
  CHECK(worlds("size == 6 and rank == 1") == "7, 4, 6");
  CHECK(worlds("rank == size - 1") == "4");
  CHECK(worlds("rank == size - 1 and rank % 2 == 0") == "4, 2, 3");
}

TEST_CASE("a function that names an axis is compared in a mesh with two ranks along it, and more where it needs them") {
  CHECK(worlds("tp == 0", "group=tp_group") == "4");
  CHECK(worlds("tp == 2", "group=tp_group") == "4, 6");
}

TEST_CASE("what two groups share is what is in both, and the world shares all") {
  SymbolTable names;
  const Axis a{.name = names.intern("a"), .origin = {}}, b{.name = names.intern("b"), .origin = {}};
  const AxisSet world{.world = true, .axes = {}}, of_a{.axes = {a}}, both{.axes = {a, b}};
  CHECK(common(of_a, both) == of_a);
  CHECK(common(world, both) == both);
  CHECK(common(of_a, AxisSet{.axes = {b}}).empty());
}

TEST_CASE("a group of listed ranks has these in every world, and room is made for them") {
  const Asked asked(
      "func f(x) {\n^entry:\n  group = call dist.new_group([1, 6])\n  call dist.barrier(group=group)\n"
      "  rank = call dist.get_rank()\n  branch rank == 1 ? ^then : ^join\n^then:\n  call dist.barrier(group=group)\n"
      "  jump ^join\n^join:\n  return\n}\n");
  const ComparedWorlds compared(asked.in());
  for (const UsedGroup& group : compared.groups_of(asked.summary("f"))) {
    if (group.axes.world) continue;
    CHECK(compared.members_of(group) == ListedRanks{1, 6});
    CHECK(compared.is_distinguished(group));
    const auto world = compared.world_of(group.axes, {group}, {});
    CHECK(world->size() == 8);
    CHECK(world->members(6, group.axes) == std::vector<uint32_t>{1, 6});
    CHECK(world->coordinate(0, group.axes) == -1);
    return;
  }
  FAIL("no group");
}

}  // namespace ranklint::test
