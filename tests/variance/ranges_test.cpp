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
