#include "analyzer/product/needs.h"

#include <algorithm>

#include "analyzer/variance/rank_condition.h"

namespace ranklint {
namespace {

using ir::Operator;

constexpr uint32_t kRanksAnyway = 4;  // of the worlds that are compared without any needs

// Ranks that it takes for `coordinate OP number` to hold for some and not for others.
int64_t ranks_for(Operator op, int64_t number) {
  switch (op) {
    case Operator::Less:
    case Operator::GreaterEqual:
    case Operator::Equal:
    case Operator::NotEqual: return number + 1;
    case Operator::LessEqual:
    case Operator::Greater: return number + 2;
    case Operator::Modulo: return number + 1;
    default: return 0;
  }
}

Operator mirrored(Operator op) {
  switch (op) {
    case Operator::Less: return Operator::Greater;
    case Operator::LessEqual: return Operator::GreaterEqual;
    case Operator::Greater: return Operator::Less;
    case Operator::GreaterEqual: return Operator::LessEqual;
    case Operator::Modulo: return Operator::None;
    default: return op;
  }
}

void ask_for_large(int64_t ranks, uint32_t ranks_anyway, WorldNeeds& needs) {
  if (ranks > ranks_anyway && ranks <= World::kMostFlatRanks)
    needs.large = std::max(needs.large, static_cast<uint32_t>(ranks));
}

void ask_for(uint32_t count, const AxisSet& axes, WorldNeeds& needs) {
  // Two questions may leave one rank that neither holds for: one more for each.
  const auto ask = [&](uint32_t& known) { known = known == 0 ? count : std::max(known, count) + 1; };
  if (axes.world)
    ask(needs.ranks);
  else if (axes.axes.size() == 1)
    ask(needs.along[axes.axes[0]]);
  ++needs.questions;
}

void add(const ValueStore& values, ValueId coordinate, Operator op, ValueId other, WorldNeeds& needs) {
  int64_t number = 0;
  if (values[coordinate].kind != ValueKind::Coordinate) return;
  const bool with_size =
      values.find_part(other, [&](ValueId part) { return values[part].kind == ValueKind::Size; }).valid();
  if (!with_size && !values.integer_of(other, number)) return;
  // The first, the last, and one between them.
  const auto count =
      with_size ? 3u : static_cast<uint32_t>(std::clamp<int64_t>(ranks_for(op, number), 0, World::kMostRanks));
  const AxisSet& axes = values.axes(AxesId{values[coordinate].a});
  if (!with_size && axes.world) ask_for_large(ranks_for(op, number), World::kMostRanks, needs);
  ask_for(count, axes, needs);
  needs.tests_last_rank = needs.tests_last_rank || with_size;
}

// Ranks that it takes for something computed from one coordinate to be true for some and false for others, found by
// trying: `rank // 8`. 0: no number that a world may have is enough.
uint32_t ranks_to_differ(const RankCondition& condition, ValueId part, const RankVariable& variable) {
  for (uint32_t size = 2; size <= World::kMostRanks; ++size) {
    const std::optional<bool> first = condition.holds(part, variable, 0, size);
    if (!first) return 0;
    for (uint32_t rank = 1; rank < size; ++rank)
      if (const std::optional<bool> holds = condition.holds(part, variable, rank, size); holds && holds != first)
        return size;
  }
  return 0;
}

// As far as the ranks that every world has are too few, and `add` does not count them.
void add_computed(const ValueStore& values, const RankCondition& condition, ValueId part, WorldNeeds& needs) {
  const bool compares_coordinate = std::ranges::any_of(
      values.children(part), [&](ValueId side) { return values[side].kind == ValueKind::Coordinate; });
  if (compares_coordinate && ranks_for(values[part].op, 1) != 0) return;
  const std::vector<RankVariable> variables = condition.variables_of(part);
  if (variables.size() != 1 || variables[0].group.valid()) return;
  const AxisSet& axes = values.axes(variables[0].axes);
  if (const uint32_t count = ranks_to_differ(condition, part, variables[0]); count > (axes.world ? kRanksAnyway : 2U))
    ask_for(count, axes, needs);
}

// `[rank] == [4]`, `sum([rank, 1]) == 8`: what is computed of more than numbers is asked of as many ranks as the
// largest number in it.
void add_listed(const ValueStore& values, ValueId part, WorldNeeds& needs) {
  const auto has = [&](ValueKind kind) {
    return values.find_part(part, [&](ValueId v) { return values[v].kind == kind; }).valid();
  };
  if (!has(ValueKind::Tuple) && !has(ValueKind::Pure)) return;
  const ValueId rank = values.find_part(part, [&](ValueId v) {
    return values[v].kind == ValueKind::Coordinate && values.axes(AxesId{values[v].a}).world;
  });
  if (!rank.valid()) return;
  int64_t largest = 0;
  values.find_part(part, [&](ValueId v) {
    int64_t number = 0;
    if (values.integer_of(v, number)) largest = std::max(largest, number);
    return false;
  });
  if (largest + 2 > kRanksAnyway)
    ask_for(static_cast<uint32_t>(std::min<int64_t>(largest + 2, World::kMostRanks)),
            values.axes(AxesId{values[rank].a}), needs);
}

}  // namespace

// `size == 8`, `size % 8 == 0`: of that many ranks; `size > 64`: of more. What small worlds have anyway is not counted.
static void add_sizes(const ValueStore& values, ValueId term, WorldNeeds& needs) {
  const auto counts_world = [&](ValueId v) {
    return values[v].kind == ValueKind::Size && values.axes(AxesId{values[v].a}).is_world();
  };
  values.find_part(term, [&](ValueId part) {
    int64_t size = 0, divisor = 0;
    if (values[part].kind != ValueKind::Binary) return false;
    for (const uint32_t side : {0U, 1U})
      if (counts_world(values.child(part, side)) && values.integer_of(values.child(part, 1 - side), size))
        ask_for_large(ranks_for(side == 0 ? values[part].op : mirrored(values[part].op), size), kRanksAnyway, needs);
    if (values[part].op != Operator::Equal) return false;
    const ValueId asked = values.child(part, 0);
    if (!values.integer_of(values.child(part, 1), size)) return false;
    const bool divides = values[asked].kind == ValueKind::Binary && values[asked].op == Operator::Modulo &&
                         counts_world(values.child(asked, 0)) && values.integer_of(values.child(asked, 1), divisor);
    if (!divides && !counts_world(asked)) return false;
    size += divides ? divisor : 0;
    if (size > kRanksAnyway && size <= World::kMostRanks) {
      WorldNeeds one;
      one.sizes.insert(static_cast<uint32_t>(size));
      needs.add(one);
    }
    return false;
  });
}

void add_needs(const ValueStore& values, const ProjectIndex& index, ValueId term, WorldNeeds& needs) {
  if (!term.valid()) return;
  add_sizes(values, term, needs);
  if (values.variance(term).empty()) return;
  const RankCondition condition(values, index, [](ValueId) { return ValueStore::Truth::Unknown; });
  values.find_part(term, [&](ValueId part) {
    const Value& v = values[part];
    // For any use of it, there has to be such an axis.
    if (v.kind == ValueKind::Coordinate)
      if (const AxisSet& axes = values.axes(AxesId{v.a}); !axes.world && axes.axes.size() == 1)
        needs.along.try_emplace(axes.axes[0]);
    if (v.kind != ValueKind::Binary) return false;
    add(values, values.child(part, 0), v.op, values.child(part, 1), needs);
    add(values, values.child(part, 1), mirrored(v.op), values.child(part, 0), needs);
    add_computed(values, condition, part, needs);
    add_listed(values, part, needs);
    return false;
  });
}

}  // namespace ranklint
