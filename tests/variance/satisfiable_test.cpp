#include "analyzer/variance/satisfiable.h"

#include <catch2/catch.hpp>

#include <vector>

namespace ranklint {
namespace {

using ir::Operator;

// Terms over the parameters of one function.
struct Fixture {
  ProjectIndex index{{}};
  ValueStore values{index};
  ValueId a = parameter(0), b = parameter(1), c = parameter(2);

  Fixture() { values.set_trait(index.intern("len"), ValueStore::Trait::CountsElements); }
  ValueId parameter(uint32_t n) { return values.leaf(ValueKind::Parameter, 0, n); }
  ValueId number(int64_t n) { return values.integer(n); }
  ValueId text(std::string_view t) { return values.text(index.intern(t)); }
  ValueId is(ValueId x, Operator op, ValueId y) { return values.binary(op, x, y); }
  ValueId attribute(ValueId of, std::string_view name) { return values.attribute(of, index.intern(name)); }
  ValueId call(std::string_view name, std::vector<ValueId> arguments) {
    return values.pure(index.intern(name), arguments);
  }
  bool can_hold(const std::vector<ValueId>& taken) {
    std::vector<TermLiteral> literals;
    for (const ValueId term : taken) literals.push_back({term});
    return can_hold_together(values, literals);
  }
};

TEST_CASE("equal things have equal parts") {
  Fixture t;
  const ValueId fa = t.call("f", {t.a}), fb = t.call("f", {t.b}), equal = t.is(t.a, Operator::Equal, t.b);
  CHECK_FALSE(t.can_hold({equal, t.is(fa, Operator::NotEqual, fb)}));
  CHECK_FALSE(t.can_hold({equal, t.is(t.b, Operator::Equal, t.c), t.is(t.c, Operator::NotEqual, t.a)}));
  CHECK_FALSE(t.can_hold({equal, t.attribute(t.a, "on"), t.values.negate(t.attribute(t.b, "on"))}));
  CHECK(t.can_hold({t.is(fa, Operator::Equal, fb), t.is(t.a, Operator::NotEqual, t.b)}));
}

TEST_CASE("a thing is not two constants") {
  Fixture t;
  const ValueId is_three = t.is(t.a, Operator::Equal, t.number(3));
  CHECK_FALSE(t.can_hold({is_three, t.is(t.a, Operator::Equal, t.b), t.is(t.b, Operator::Equal, t.number(4))}));
  CHECK_FALSE(t.can_hold({is_three, t.is(t.is(t.a, Operator::Add, t.number(1)), Operator::Equal, t.number(5))}));
  CHECK(t.can_hold({is_three, t.is(t.a, Operator::Equal, t.values.real(3))}));
  const ValueId names = t.values.node(ValueKind::Tuple, {{t.text("train"), t.text("both")}});
  CHECK_FALSE(t.can_hold({t.is(t.a, Operator::In, names), t.is(t.a, Operator::Equal, t.text("test"))}));
  CHECK_FALSE(t.can_hold({t.is(t.a, Operator::NotIn, names), t.is(t.a, Operator::Equal, t.text("both"))}));
  CHECK(t.can_hold({t.is(t.a, Operator::In, names), t.is(t.a, Operator::NotEqual, t.text("train"))}));
}

TEST_CASE("orders do not go round") {
  Fixture t;
  const ValueId a_b = t.is(t.a, Operator::Less, t.b), b_c = t.is(t.b, Operator::LessEqual, t.c);
  CHECK_FALSE(t.can_hold({a_b, b_c, t.is(t.a, Operator::GreaterEqual, t.c)}));
  CHECK_FALSE(t.can_hold({a_b, t.is(t.b, Operator::Less, t.number(2)), t.is(t.a, Operator::Greater, t.number(2))}));
  CHECK_FALSE(t.can_hold({b_c, t.is(t.c, Operator::LessEqual, t.b), t.is(t.b, Operator::NotEqual, t.c)}));
  CHECK_FALSE(t.can_hold({a_b, t.is(t.is(t.a, Operator::Subtract, t.number(1)), Operator::GreaterEqual, t.b)}));
  CHECK(t.can_hold({a_b, b_c, t.is(t.a, Operator::Less, t.c)}));
  CHECK(t.can_hold({b_c, t.is(t.c, Operator::LessEqual, t.b)}));
}

TEST_CASE("numbers whose sums are rounded contradict nothing") {
  Fixture t;
  const ValueId is_measured = t.is(t.a, Operator::Greater, t.values.real(0.1));
  const ValueId one_more = t.is(t.b, Operator::Add, t.number(1));
  CHECK(t.can_hold({is_measured, t.is(one_more, Operator::LessEqual, t.number(2))}));
  CHECK(t.can_hold(
      {is_measured, t.is(t.c, Operator::Less, t.values.real(0.7)), t.is(one_more, Operator::Less, t.number(3))}));
  CHECK_FALSE(t.can_hold({is_measured, t.is(t.a, Operator::Less, t.values.real(0.1))}));
  CHECK_FALSE(t.can_hold(
      {is_measured, t.is(one_more, Operator::LessEqual, t.number(2)), t.is(t.b, Operator::Greater, t.number(1))}));
}

TEST_CASE("None is false, has no attributes and is computed with by none") {
  Fixture t;
  const ValueId is_none = t.is(t.a, Operator::Is, t.values.none());
  CHECK_FALSE(t.can_hold({is_none, t.a}));
  CHECK_FALSE(t.can_hold({is_none, t.values.negate(t.attribute(t.a, "on"))}));
  CHECK_FALSE(t.can_hold({is_none, t.is(t.a, Operator::Less, t.number(1))}));
  CHECK_FALSE(t.can_hold({is_none, t.call("isinstance", {t.a, t.values.leaf(ValueKind::Class, 1)})}));
  CHECK(t.can_hold({is_none, t.values.negate(t.a)}));
  // Whoever asks in this order asks None for nothing.
  const ValueId either = t.values.conjunction(false, {{is_none, t.attribute(t.a, "on")}});
  CHECK(t.can_hold({is_none, either}));
  CHECK_FALSE(t.can_hold({t.a, either, t.values.negate(t.attribute(t.a, "on"))}));
}

TEST_CASE("what is false has no elements and is not above zero") {
  Fixture t;
  const ValueId length = t.call("len", {t.a}), empty = t.values.negate(t.a);
  CHECK_FALSE(t.can_hold({empty, t.is(length, Operator::Greater, t.number(0))}));
  CHECK_FALSE(t.can_hold({t.a, t.is(length, Operator::Equal, t.number(0))}));
  CHECK_FALSE(t.can_hold({t.is(length, Operator::Less, t.number(0))}));
  CHECK_FALSE(t.can_hold({empty, t.is(t.a, Operator::GreaterEqual, t.number(1))}));
  CHECK_FALSE(t.can_hold({t.a, t.is(t.a, Operator::Equal, t.number(0))}));
  CHECK(t.can_hold({t.a, t.is(length, Operator::Equal, t.number(2))}));
}

TEST_CASE("of a disjunction one part holds that nothing excludes") {
  Fixture t;
  const auto any = [&](std::vector<ValueId> parts) { return t.values.conjunction(false, parts); };
  CHECK_FALSE(t.can_hold({any({t.a, t.b}), t.values.negate(t.a), t.values.negate(t.b)}));
  CHECK_FALSE(t.can_hold({any({t.a, t.b}), any({t.a, t.values.negate(t.b)}), any({t.values.negate(t.a), t.b}),
                          any({t.values.negate(t.a), t.values.negate(t.b)})}));
  CHECK(t.can_hold({any({t.a, t.b}), any({t.a, t.values.negate(t.b)})}));
  const ValueId choice = t.values.conditional(t.a, t.b, t.c);
  CHECK_FALSE(t.can_hold({choice, t.a, t.values.negate(t.b)}));
  CHECK_FALSE(t.can_hold({t.values.negate(choice), t.values.negate(t.a), t.c}));
  CHECK(t.can_hold({choice, t.a, t.values.negate(t.c)}));
}

TEST_CASE("what is measured need not be a number") {
  Fixture t;
  const ValueId loss = t.values.local("clock", 1);
  CHECK(t.can_hold({t.is(loss, Operator::NotEqual, loss)}));
}

TEST_CASE("what a rank sees by itself is another value for another rank") {
  Fixture t;
  const ValueId clock = t.values.local("clock", 1), late = t.is(clock, Operator::Greater, t.a);
  const auto can_hold = [&](uint8_t other) {
    return can_hold_together(t.values, std::vector<TermLiteral>{{late, true, 1}, {late, false, other}});
  };
  CHECK_FALSE(can_hold(1));
  CHECK(can_hold(2));
}

}  // namespace
}  // namespace ranklint
