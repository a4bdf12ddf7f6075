#include <catch2/catch.hpp>

#include <limits>
#include <set>

#include "analyzer/variance/reals.h"
#include "analyzer/variance/terms.h"
#include "analyzer/variance/values.h"

namespace ranklint {
namespace {

struct Fixture {
  ProjectIndex index{{}};
  ValueStore values{index};
  ValueId leaf(uint32_t n) { return values.leaf(ValueKind::Opaque, n); }
  ValueId wrap(ValueId v) { return values.node(ValueKind::Pure, {{v}}, index.intern("f").index); }
};

TEST_CASE("references to terms and their children stay good while others are made") {
  Fixture t;
  const ValueId pair = t.values.node(ValueKind::Tuple, {{t.leaf(1), t.leaf(2)}});
  const Value& value = t.values[pair];
  const std::span<const ValueId> children = t.values.children(pair);
  const AxisSet& axes = t.values.variance(pair);
  for (uint32_t i = 3; i < 20000; ++i) {
    t.values.node(ValueKind::Tuple, {{t.leaf(i), pair}});
    t.values.intern(AxisSet{.world = false, .axes = {Axis{AxisKind::Mesh, Symbol{i}, {}}}});
  }
  CHECK(&value == &t.values[pair]);
  CHECK(children.data() == t.values.children(pair).data());
  CHECK(&axes == &t.values.variance(pair));
  CHECK(t.values[children[1]].a == 2);
}

TEST_CASE("what is derived is told apart by what it is, and from calls of the source") {
  Fixture t;
  constexpr uint32_t kLast = static_cast<uint32_t>(Derived::Dimension);
  for (uint32_t d = 1; d <= kLast; ++d) {
    const Derived derived = static_cast<Derived>(d);
    INFO(name_of(derived));
    CHECK(derived_named(name_of(derived)) == derived);
    const ValueId term = derive(t.values, t.index, derived, {{t.leaf(1), t.leaf(2)}});
    CHECK(derived_of(t.values, t.index, term) == derived);
  }
  CHECK(derived_of(t.values, t.index, t.wrap(t.leaf(1))) == Derived::None);
  CHECK(derived_of(t.values, t.index, t.leaf(1)) == Derived::None);
  CHECK(derived_named("<module>") == Derived::None);
}

TEST_CASE("what a rank alone sees is told apart by its word") {
  Fixture t;
  CHECK(local_source(t.values, t.index, t.values.local("clock", 1)) == LocalSource::Clock);
  CHECK(local_source(t.values, t.index, t.wrap(t.values.local("file system", 1))) == LocalSource::FileSystem);
  CHECK(local_source(t.values, t.index, t.values.local("a model's own word", 1)) == LocalSource::Other);
  CHECK(local_source(t.values, t.index, t.values.batch(1)) == LocalSource::Batch);
  CHECK(local_source(t.values, t.index, t.leaf(1)) == LocalSource::None);
}

TEST_CASE("operations on whole numbers are computed as Python computes them") {
  using ir::Operator;
  Fixture t;
  const auto made = [&](Operator op, int64_t a, int64_t b) {
    return t.values.describe(t.values.binary(op, t.values.integer(a), t.values.integer(b)));
  };
  CHECK(made(Operator::ShiftLeft, 1, 5) == "32");
  CHECK(made(Operator::ShiftRight, -5, 1) == "-3");
  CHECK(made(Operator::ShiftRight, 5, 70) == "0");
  CHECK(made(Operator::Power, 2, 10) == "1024");
  CHECK(made(Operator::Power, -1, 3) == "-1");
  CHECK(made(Operator::BitXor, 5, 1) == "4");
  CHECK(made(Operator::FloorDivide, -7, 2) == "-4");
  CHECK(made(Operator::Modulo, -7, 2) == "1");
  CHECK(made(Operator::Divide, 1, 4) == "0.25");
  CHECK(t.values.describe(t.values.unary(Operator::Invert, t.values.integer(5))) == "-6");
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  for (const auto& [op, a, b] : {std::tuple{Operator::ShiftLeft, int64_t{1}, int64_t{63}},
                                 {Operator::ShiftLeft, 1, -1},
                                 {Operator::Power, 2, 63},
                                 {Operator::Power, 2, -1},
                                 {Operator::FloorDivide, 1, 0},
                                 {Operator::FloorDivide, kLeast, -1},
                                 {Operator::Multiply, kLeast, 2}})
    CHECK_FALSE(t.values.is_constant(t.values.binary(op, t.values.integer(a), t.values.integer(b))));
}

TEST_CASE("a term asks numbers where all that it rests on are constants") {
  Fixture t;
  const ValueId one = t.values.integer(1);
  CHECK(asks_numbers(t.values, t.index, t.wrap(one)));
  CHECK(asks_numbers(t.values, t.index,
                     t.values.binary(ir::Operator::Equal, t.wrap(one), t.values.text(t.index.intern("a")))));
  CHECK_FALSE(asks_numbers(t.values, t.index, t.wrap(t.leaf(1))));
  CHECK_FALSE(asks_numbers(t.values, t.index, t.values.node(ValueKind::Element, {{t.wrap(one)}})));
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

TEST_CASE("no two different terms that are cut are one, however many there are") {
  Fixture t;
  ValueId deep = t.leaf(1);
  while (t.values[deep].depth < ValueStore::kDeepestTerm) deep = t.wrap(deep);
  constexpr int kTerms = 300000;  // enough for two equal halves of a hash
  std::set<ValueId> cut;
  for (int i = 0; i < kTerms; ++i) cut.insert(t.values.node(ValueKind::Tuple, {{deep, t.values.integer(i)}}));
  CHECK(t.values.cut() == kTerms);
  CHECK(cut.size() == kTerms);
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

TEST_CASE("numbers with and without a point are compared as numbers") {
  Fixture t;
  const ValueId half = t.values.real(0.5), two = t.values.real(2), zero = t.values.real(0);
  using ir::Operator;
  CHECK(t.values.binary(Operator::Less, half, two) == t.values.boolean(true));
  CHECK(t.values.binary(Operator::Equal, two, t.values.integer(2)) == t.values.boolean(true));
  CHECK(t.values.binary(Operator::Greater, t.values.unary(Operator::Negate, half), t.values.integer(0)) ==
        t.values.boolean(false));
  CHECK(t.values.binary(Operator::Add, half, half) == t.values.real(1));
  CHECK(t.values.truth(zero) == ValueStore::Truth::No);
  CHECK(t.values.truth(t.values.real(-0.0)) == ValueStore::Truth::No);
  CHECK(t.values.truth(half) == ValueStore::Truth::Yes);
  CHECK(t.values[t.values.binary(Operator::Divide, half, zero)].kind == ValueKind::Binary);
}

TEST_CASE("real numbers are read as written and written as Python does") {
  CHECK(read_real("1_000.5") == 1000.5);
  CHECK(read_real(".5") == 0.5);
  CHECK(read_real("1.0f") == 1.0);
  CHECK(read_real("inf") == std::numeric_limits<double>::infinity());
  for (std::string_view none : {"nan", "2j", "", "1.0ff", "steps"}) CHECK(!read_real(none));
  CHECK(write_real(10) == "10.0");
  CHECK(write_real(0.5) == "0.5");
  CHECK(write_real(-1e-5) == "-1e-05");
  CHECK(write_real(std::numeric_limits<double>::infinity()) == "inf");
}

}  // namespace
}  // namespace ranklint
