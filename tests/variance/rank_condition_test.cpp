#include <catch2/catch.hpp>

#include <algorithm>
#include <iterator>

#include "analyzer/variance/rank_condition.h"

namespace ranklint {
namespace {

using ir::Operator;

// Terms over one rank, as a program writes them.
struct Fixture {
  ProjectIndex index{{}};
  ValueStore values{index};
  AxisSet world{.world = true, .axes = {}};
  ValueId rank = values.coordinate(world);
  ValueId size = values.leaf(ValueKind::Size, values.intern(world).index);
  ValueId unknown = values.leaf(ValueKind::Opaque, 1);

  ValueId number(int64_t n) { return values.integer(n); }
  ValueId op(Operator o, ValueId left, ValueId right) { return values.binary(o, left, right); }
  ValueId op(Operator o, ValueId left, int64_t right) { return values.binary(o, left, number(right)); }
  ValueId in(Operator o, const std::vector<int64_t>& numbers) {
    std::vector<ValueId> parts;
    for (const int64_t n : numbers) parts.push_back(number(n));
    return values.binary(o, rank, values.node(ValueKind::Tuple, parts));
  }
  ValueId all(std::vector<ValueId> parts) { return values.conjunction(true, parts); }
  ValueId any(std::vector<ValueId> parts) { return values.conjunction(false, parts); }

  std::optional<RanksWhere> ranks(ValueId condition, bool holds = true,
                                  ValueStore::Truth shared = ValueStore::Truth::Unknown) {
    const Requirement one{condition, holds};
    return RankCondition(values, index, [&](ValueId) { return shared; }).ranks_where({&one, 1});
  }
  std::string name(const std::optional<RanksWhere>& ranks) {
    if (!ranks || ranks->parts.size() != 1) return "";
    const std::optional<RankName> name = name_of(ranks->parts[0].set);
    return name ? name->text : "";
  }
};

struct Row {
  const char* source;
  std::function<ValueId(Fixture&)> term;
  std::function<bool(int64_t rank, int64_t size)> holds;
  const char* those;  // empty: they have no exact name
  const char* others;
};

std::vector<Row> conditions_on_numbers() {
  return {
      {"rank == 0", [](Fixture& t) { return t.op(Operator::Equal, t.rank, 0); },
       [](int64_t r, int64_t) { return r == 0; }, "rank 0", "every rank but 0"},
      {"rank != 0", [](Fixture& t) { return t.op(Operator::NotEqual, t.rank, 0); },
       [](int64_t r, int64_t) { return r != 0; }, "every rank but 0", "rank 0"},
      {"rank == 5", [](Fixture& t) { return t.op(Operator::Equal, t.rank, 5); },
       [](int64_t r, int64_t) { return r == 5; }, "rank 5", "every rank but 5"},
      {"rank < 4", [](Fixture& t) { return t.op(Operator::Less, t.rank, 4); }, [](int64_t r, int64_t) { return r < 4; },
       "ranks 0-3", "ranks from 4 on"},
      {"rank <= 1", [](Fixture& t) { return t.op(Operator::LessEqual, t.rank, 1); },
       [](int64_t r, int64_t) { return r <= 1; }, "ranks 0 and 1", "ranks from 2 on"},
      {"rank > 6", [](Fixture& t) { return t.op(Operator::Greater, t.rank, 6); },
       [](int64_t r, int64_t) { return r > 6; }, "ranks from 7 on", "ranks 0-6"},
      {"rank < 100", [](Fixture& t) { return t.op(Operator::Less, t.rank, 100); },
       [](int64_t r, int64_t) { return r < 100; }, "ranks 0-99", "ranks from 100 on"},
      {"rank % 2 == 0", [](Fixture& t) { return t.op(Operator::Equal, t.op(Operator::Modulo, t.rank, 2), 0); },
       [](int64_t r, int64_t) { return r % 2 == 0; }, "even ranks", "odd ranks"},
      {"rank % 2 == 1", [](Fixture& t) { return t.op(Operator::Equal, t.op(Operator::Modulo, t.rank, 2), 1); },
       [](int64_t r, int64_t) { return r % 2 == 1; }, "odd ranks", "even ranks"},
      {"rank % 2", [](Fixture& t) { return t.op(Operator::Modulo, t.rank, 2); },
       [](int64_t r, int64_t) { return r % 2 == 1; }, "odd ranks", "even ranks"},
      {"rank % 4 == 0", [](Fixture& t) { return t.op(Operator::Equal, t.op(Operator::Modulo, t.rank, 4), 0); },
       [](int64_t r, int64_t) { return r % 4 == 0; }, "", ""},
      {"rank // 8 == 1", [](Fixture& t) { return t.op(Operator::Equal, t.op(Operator::FloorDivide, t.rank, 8), 1); },
       [](int64_t r, int64_t) { return r / 8 == 1; }, "ranks 8-15", "every rank but 8-15"},
      {"rank in (0, 3)", [](Fixture& t) { return t.in(Operator::In, {0, 3}); },
       [](int64_t r, int64_t) { return r == 0 || r == 3; }, "ranks 0 and 3", "every rank but 0 and 3"},
      {"rank not in (0, 3)", [](Fixture& t) { return t.in(Operator::NotIn, {0, 3}); },
       [](int64_t r, int64_t) { return r != 0 && r != 3; }, "every rank but 0 and 3", "ranks 0 and 3"},
  };
}

std::vector<Row> conditions_on_size_and_several() {
  return {
      {"rank == size - 1",
       [](Fixture& t) { return t.op(Operator::Equal, t.rank, t.op(Operator::Subtract, t.size, 1)); },
       [](int64_t r, int64_t n) { return r == n - 1; }, "the last rank", "every rank but the last"},
      {"rank + 1 < size", [](Fixture& t) { return t.op(Operator::Less, t.op(Operator::Add, t.rank, 1), t.size); },
       [](int64_t r, int64_t n) { return r + 1 < n; }, "every rank but the last", "the last rank"},
      {"rank >= size - 2",
       [](Fixture& t) { return t.op(Operator::GreaterEqual, t.rank, t.op(Operator::Subtract, t.size, 2)); },
       [](int64_t r, int64_t n) { return r >= n - 2; }, "the last 2 ranks", "every rank but the last 2"},
      {"rank >= size // 2",
       [](Fixture& t) { return t.op(Operator::GreaterEqual, t.rank, t.op(Operator::FloorDivide, t.size, 2)); },
       [](int64_t r, int64_t n) { return r >= n / 2; }, "", ""},
      {"rank == 0 or rank == size - 1",
       [](Fixture& t) {
         return t.any(
             {t.op(Operator::Equal, t.rank, 0), t.op(Operator::Equal, t.rank, t.op(Operator::Subtract, t.size, 1))});
       },
       [](int64_t r, int64_t n) { return r == 0 || r == n - 1; }, "rank 0 and the last rank",
       "every rank but 0 and the last"},
      {"0 < rank and rank < 4",
       [](Fixture& t) { return t.all({t.op(Operator::Greater, t.rank, 0), t.op(Operator::Less, t.rank, 4)}); },
       [](int64_t r, int64_t) { return 0 < r && r < 4; }, "ranks 1-3", "every rank but 1-3"},
      {"rank < 8 and rank % 2 == 0",
       [](Fixture& t) {
         return t.all({t.op(Operator::Less, t.rank, 8), t.op(Operator::Equal, t.op(Operator::Modulo, t.rank, 2), 0)});
       },
       [](int64_t r, int64_t) { return r < 8 && r % 2 == 0; }, "ranks 0, 2, 4 and 6", "every rank but 0, 2, 4 and 6"},
      {"not rank", [](Fixture& t) { return t.values.negate(t.rank); }, [](int64_t r, int64_t) { return r == 0; },
       "rank 0", "every rank but 0"},
      {"rank % size == 0", [](Fixture& t) { return t.op(Operator::Equal, t.op(Operator::Modulo, t.rank, t.size), 0); },
       [](int64_t r, int64_t n) { return r % n == 0; }, "rank 0", "every rank but 0"},
      {"(rank + 1) % size == 0",
       [](Fixture& t) {
         return t.op(Operator::Equal, t.op(Operator::Modulo, t.op(Operator::Add, t.rank, 1), t.size), 0);
       },
       [](int64_t r, int64_t n) { return (r + 1) % n == 0; }, "the last rank", "every rank but the last"},
  };
}

const std::vector<Row>& table() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all = conditions_on_numbers();
    std::ranges::copy(conditions_on_size_and_several(), std::back_inserter(all));
    return all;
  }();
  return rows;
}

TEST_CASE("the ranks that a condition is said to hold for are those for which it does, in groups of every size") {
  for (const Row& row : table())
    for (const bool holds : {true, false}) {
      Fixture t;
      INFO(row.source << (holds ? "" : ", where it does not hold"));
      const std::optional<RanksWhere> ranks = t.ranks(row.term(t), holds);
      CHECK(t.name(ranks) == (holds ? row.those : row.others));
      if (!ranks) continue;
      REQUIRE(ranks->parts.size() == 1);
      for (const int64_t size : {1, 2, 3, 4, 5, 7, 8, 16, 31, 64, 129, 1000})
        for (int64_t rank = 0; rank < size; ++rank) {
          INFO("rank " << rank << " of " << size);
          CHECK(ranks->parts[0].set.contains(static_cast<uint32_t>(rank), static_cast<uint32_t>(size)) ==
                (row.holds(rank, size) == holds));
        }
    }
}

TEST_CASE("each rank is asked as it would decide by itself") {
  for (const Row& row : table()) {
    Fixture t;
    const ValueId term = row.term(t);
    const RankCondition condition(t.values, t.index, [](ValueId) { return ValueStore::Truth::Unknown; });
    const RankVariable variable{t.values.intern(t.world), {}};
    for (uint32_t size = 1; size < 20; ++size)
      for (uint32_t rank = 0; rank < size; ++rank) {
        INFO(row.source << " on rank " << rank << " of " << size);
        CHECK(condition.holds(term, variable, rank, size) == row.holds(rank, size));
      }
  }
}

TEST_CASE("what ranks share says nothing of them once it is decided, and everything while it is not") {
  Fixture t;
  const ValueId both = t.all({t.op(Operator::Equal, t.rank, 0), t.unknown});
  CHECK(t.name(t.ranks(both, true, ValueStore::Truth::Yes)) == "rank 0");
  CHECK_FALSE(t.ranks(both).has_value());
}

TEST_CASE("no number is given where a rank's own data decides") {
  Fixture t;
  CHECK_FALSE(t.ranks(t.op(Operator::Less, t.values.local("clock", 3), 4)).has_value());
  CHECK_FALSE(t.ranks(t.op(Operator::Equal, t.rank, t.unknown)).has_value());
  CHECK_FALSE(t.ranks(t.op(Operator::Less, t.rank, 1000000)).has_value());
}

TEST_CASE("ranks by two numbers are those with both, or with one") {
  Fixture t;
  AxisSet tp, pp;
  tp.add(t.index.axis("tp"));
  pp.add(t.index.axis("pp"));
  const ValueId first_tp = t.op(Operator::Equal, t.values.coordinate(tp), 0),
                second_pp = t.op(Operator::Equal, t.values.coordinate(pp), 1);
  const std::optional<RanksWhere> both = t.ranks(t.all({first_tp, second_pp})),
                                  one = t.ranks(t.any({first_tp, second_pp}));
  REQUIRE(both);
  REQUIRE(both->parts.size() == 2);
  CHECK_FALSE(both->any);
  REQUIRE(one);
  CHECK(one->any);
  for (const RanksWhere::Part& part : both->parts) {
    const bool is_tp = part.variable.axes == t.values.intern(tp);
    CHECK(numbered(part.set, {"rank", ""}) == (is_tp ? "rank 0" : "rank 1"));
  }
}

TEST_CASE("numbers within a group stand behind ranks with") {
  const RankNumbering tp{"`tp` rank", ""}, unknown{"rank", " in its group"};
  const auto set = [](std::vector<uint32_t> start, std::vector<uint32_t> end, bool complement) {
    return RankSet{std::move(start), std::move(end), complement, {}};
  };
  CHECK(numbered(set({0}, {}, false), tp) == "`tp` rank 0");
  CHECK(numbered(set({0, 3}, {}, false), tp) == "`tp` rank 0 or 3");
  CHECK(numbered(set({0}, {}, true), tp) == "any `tp` rank but 0");
  CHECK(numbered(set({0, 1}, {}, true), tp) == "a `tp` rank from 2 on");
  CHECK(numbered(set({}, {0}, false), tp) == "the last `tp` rank");
  CHECK(numbered(set({0}, {0}, false), tp) == "`tp` rank 0 or the last");
  CHECK(numbered(set({0}, {}, false), unknown) == "rank 0 in its group");
  CHECK(numbered(RankSet{{}, {}, false, 0}, tp) == "an even `tp` rank");
}

}  // namespace
}  // namespace ranklint
