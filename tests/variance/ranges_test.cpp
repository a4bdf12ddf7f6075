#include <catch2/catch.hpp>

#include "analyzer/variance/ranges.h"

namespace ranklint {
namespace {

struct Fixture {
  ProjectIndex index{{}};
  ValueStore values{index};
  std::optional<NumberRange> range(const std::vector<int64_t>& numbers) {
    std::vector<ValueId> given;
    for (const int64_t n : numbers) given.push_back(values.integer(n));
    return range_of(values, index, values.node(ValueKind::Pure, given, index.intern("range").index));
  }
};

TEST_CASE("a range of constants has the numbers that Python counts") {
  Fixture t;
  CHECK(t.range({3})->size() == 3);
  CHECK(t.range({-3})->size() == 0);
  CHECK(t.range({2, 9, 3})->size() == 3);
  CHECK((*t.range({2, 9, 3}))[2] == 8);
  CHECK(t.range({5, 0, -2})->size() == 3);
  CHECK((*t.range({5, 0, -2}))[2] == 1);
  CHECK(t.range({0, 5, -1})->size() == 0);
  CHECK(t.range({INT64_MIN, INT64_MAX})->size() == INT64_MAX);
}

TEST_CASE("a slice of a range has the numbers that Python takes") {
  Fixture t;
  const auto taken = [&](const std::vector<int64_t>& numbers, std::vector<ValueId> bounds) {
    std::vector<ValueId> given;
    for (const int64_t n : numbers) given.push_back(t.values.integer(n));
    const ValueId whole = t.values.node(ValueKind::Pure, given, t.index.intern("range").index);
    const ValueId slice = t.values.node(ValueKind::Pure, bounds, t.index.intern("slice").index);
    std::string text;
    const auto range = written_numbers(t.values, t.index, t.values.subscript(whole, slice));
    for (int64_t i = 0; range && i < range->size(); ++i) text += std::to_string((*range)[i]) + " ";
    return range ? text : "unknown";
  };
  const ValueId none = t.values.none();
  const auto at = [&](int64_t n) { return t.values.integer(n); };
  CHECK(taken({8}, {at(1), none, at(2)}) == "1 3 5 7 ");
  CHECK(taken({8}, {at(-2), none}) == "6 7 ");
  CHECK(taken({8}, {none, at(-6)}) == "0 1 ");
  CHECK(taken({8}, {none, none, at(-3)}) == "7 4 1 ");
  CHECK(taken({2, 20, 3}, {at(1), at(4)}) == "5 8 11 ");
  CHECK(taken({5, 0, -1}, {at(1), at(99)}) == "4 3 2 1 ");
  CHECK(taken({8}, {at(5), at(2)}).empty());
  CHECK(taken({8}, {t.values.leaf(ValueKind::Opaque, 1), none}) == "unknown");
  CHECK(taken({8}, {none, none, at(0)}) == "unknown");
  const ValueId list = t.values.node(ValueKind::Tuple, {{at(4), at(5), at(6)}});
  const ValueId last = t.values.node(ValueKind::Pure, {{at(-2), none}}, t.index.intern("slice").index);
  CHECK(t.values.describe(t.values.subscript(list, last)) == "[5, 6]");
}

TEST_CASE("what is no range of constants is none") {
  Fixture t;
  CHECK_FALSE(t.range({}).has_value());
  CHECK_FALSE(t.range({0, 5, 0}).has_value());
  CHECK_FALSE(t.range({1, 2, 3, 4}).has_value());
  const ValueId unknown = t.values.leaf(ValueKind::Opaque, 1);
  CHECK_FALSE(range_of(t.values, t.index, t.values.node(ValueKind::Pure, {{unknown}}, t.index.intern("range").index))
                  .has_value());
  CHECK_FALSE(range_of(t.values, t.index, t.values.integer(3)).has_value());
}

}  // namespace
}  // namespace ranklint
