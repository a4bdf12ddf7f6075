#include <catch2/catch.hpp>

#include "analyzer/variance/values.h"

namespace ranklint {
namespace {

struct Fixture {
  ProjectIndex index{{}};
  ValueStore values{index};
  ValueId leaf(uint32_t n) { return values.leaf(ValueKind::Opaque, n); }
  ValueId wrap(ValueId v) { return values.node(ValueKind::Pure, {{v}}, index.spell("f").index); }
};

TEST_CASE("references to terms and their children stay good while others are made") {
  Fixture t;
  const ValueId pair = t.values.node(ValueKind::Tuple, {{t.leaf(1), t.leaf(2)}});
  const Value& value = t.values[pair];
  const std::span<const ValueId> children = t.values.children(pair);
  const AxisSet& axes = t.values.variance(pair);
  for (uint32_t i = 3; i < 20000; ++i) {
    t.values.node(ValueKind::Tuple, {{t.leaf(i), pair}});
    t.values.intern(AxisSet{.world = false, .axes = {Symbol{i}}});
  }
  CHECK(&value == &t.values[pair]);
  CHECK(children.data() == t.values.children(pair).data());
  CHECK(&axes == &t.values.variance(pair));
  CHECK(t.values[children[1]].a == 2);
}

TEST_CASE("a term that nests without end is cut and told apart from others") {
  Fixture t;
  ValueId x = t.leaf(1), y = t.leaf(2);
  size_t deepest = 0;
  for (int i = 0; i < 1000; ++i) {
    x = t.wrap(x);
    y = t.wrap(y);
    deepest = std::max<size_t>(deepest, t.values[x].depth);
    CHECK(x != y);
  }
  CHECK(deepest == ValueStore::kDeepestTerm);
  CHECK(t.values.cut() > 0);
}

TEST_CASE("a term that is cut twice is the same both times") {
  Fixture t;
  auto deep = [&] {
    ValueId x = t.leaf(1);
    for (int i = 0; i < 500; ++i) x = t.wrap(x);
    return x;
  };
  CHECK(deep() == deep());
}

TEST_CASE("a conjunction of more parts than anybody reads is cut") {
  Fixture t;
  ValueId all = t.leaf(0);
  for (uint32_t i = 1; i < 1000; ++i) all = t.values.conjunction(true, std::vector<ValueId>{all, t.leaf(i)});
  CHECK(t.values[all].child_count <= ValueStore::kMostOperands);
  CHECK(t.values.cut() > 0);
}

TEST_CASE("the text of a wide term that shares its parts has an end") {
  Fixture t;
  ValueId x = t.leaf(1);
  for (int i = 0; i < 8; ++i) x = t.values.node(ValueKind::Tuple, std::vector<ValueId>(300, x));
  CHECK(t.values.describe(x).size() < 20000);
}

}  // namespace
}  // namespace ranklint
