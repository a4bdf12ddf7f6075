// Sets of axes: sorted, without repetition, and the world that absorbs all others.
#include "analyzer/mesh/axes.h"

#include <catch2/catch.hpp>

namespace ranklint {
namespace {

struct Names {
  SymbolTable table;
  Axis axis(std::string_view name) { return {.kind = kind_of_axis(name), .name = table.intern(name), .origin = {}}; }
  // One group, of which the term alone is known.
  Axis group(uint32_t term, std::string_view name = {}) {
    return {.kind = name.empty() ? AxisKind::NamelessGroup : AxisKind::NamedGroup,
            .name = name.empty() ? Symbol{} : table.intern(name),
            .origin = Id<struct ValueTag>{term}};
  }
};

AxisSet set_of(std::initializer_list<Axis> axes) {
  AxisSet set;
  for (const Axis& axis : axes) set.add(axis);
  return set;
}

const AxisSet kWorld{.world = true, .axes = {}};

}  // namespace

TEST_CASE("an axis goes by its name: of a machine, of the machines, or of the mesh") {
  CHECK(kind_of_axis("local") == AxisKind::Local);
  CHECK(kind_of_axis("node") == AxisKind::Node);
  CHECK(kind_of_axis("tp") == AxisKind::Mesh);
}

TEST_CASE("a set of axes does not depend on the order in which they come, and has each once") {
  Names names;
  const Axis dp = names.axis("dp"), tp = names.axis("tp");
  CHECK(set_of({dp, tp}) == set_of({tp, dp, tp}));
  CHECK(set_of({dp, tp}).axes.size() == 2);
  CHECK(set_of({}).empty());
  CHECK(set_of({names.axis("local")}).has(AxisKind::Local));
  CHECK_FALSE(set_of({dp}).has(AxisKind::Local));
}

TEST_CASE("the world absorbs what was there before and what comes after") {
  Names names;
  AxisSet set = set_of({names.axis("dp")});
  set.add(kWorld);
  set.add(names.axis("tp"));
  CHECK(set.is_world());
  CHECK(set == kWorld);
  CHECK_FALSE(set.empty());
}

TEST_CASE("one group is told from others by its term alone, and stands behind the axes of the mesh") {
  Names names;
  CHECK(names.group(7, "a") == names.group(7, "b"));
  CHECK(names.group(7, "a") != names.group(8, "a"));
  CHECK(names.axis("z") < names.group(0));
  CHECK(set_of({names.group(7), names.axis("z")}).axes.front() == names.axis("z"));
}

TEST_CASE("sets overlap where they have an axis in common, the world with all but the empty one") {
  Names names;
  const Axis dp = names.axis("dp"), tp = names.axis("tp"), cp = names.axis("cp");
  CHECK(overlap(set_of({dp, tp}), set_of({tp, cp})));
  CHECK_FALSE(overlap(set_of({dp}), set_of({tp, cp})));
  CHECK(overlap(kWorld, set_of({tp})));
  CHECK_FALSE(overlap(kWorld, set_of({})));
  CHECK_FALSE(overlap(set_of({}), set_of({})));
}

TEST_CASE("a set is described by its axes, a group without a name as such, a copy of the world by its own name") {
  Names names;
  CHECK(describe(kWorld, names.table) == "world");
  CHECK(describe(set_of({names.axis("dp"), names.axis("cp")}), names.table) == "dp-cp");
  CHECK(describe(set_of({names.group(3)}), names.table) == "a group");
  CHECK(describe({.world = true, .axes = {names.axis("copy")}}, names.table) == "copy");
}

}  // namespace ranklint
