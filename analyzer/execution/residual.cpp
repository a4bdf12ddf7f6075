#include "analyzer/execution/residual.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analyzer/summary/spans.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

// `size > 256`: the world here is small, the job may be large. All ranks decide it alike.
bool Scenario::tests_for_large_job(ir::Operator op, const std::vector<ValueId>& children) const {
  using ir::Operator;
  const ValueStore& values = in_.values();
  if (op != Operator::Less && op != Operator::LessEqual && op != Operator::Greater && op != Operator::GreaterEqual)
    return false;
  if (children.size() != 2) return false;
  const auto is_size = [&](ValueId v) {
    return values[v].kind == ValueKind::Size || values[v].kind == ValueKind::SizeIn;
  };
  const size_t at = is_size(children[0]) ? 0 : 1;
  int64_t limit = 0;
  return is_size(children[at]) && values.integer_of(children[1 - at], limit) && limit > world_.size();
}

namespace {

// The result of a comparison of extents, under the assumption that none is below zero: `rank * rows > rank * rows +
// rows` tests for an error that no rank makes alone.
std::optional<bool> compares_extents(const ValueStore& values, ir::Operator op, ValueId left, ValueId right) {
  using ir::Operator;
  if (op != Operator::Less && op != Operator::LessEqual && op != Operator::Greater && op != Operator::GreaterEqual)
    return std::nullopt;
  const ExtentOrder order = order_of_extents(values, left, right);
  switch (op) {
    case Operator::Less:
      return order.is_below ? std::optional(true) : order.is_at_least ? std::optional(false) : std::nullopt;
    case Operator::GreaterEqual:
      return order.is_at_least ? std::optional(true) : order.is_below ? std::optional(false) : std::nullopt;
    case Operator::Greater:
      return order.is_above ? std::optional(true) : order.is_at_most ? std::optional(false) : std::nullopt;
    default: return order.is_at_most ? std::optional(true) : order.is_above ? std::optional(false) : std::nullopt;
  }
}

}  // namespace

// What the root of this rank's colour had: the root-th of the ranks with that colour.
ValueId Scenario::from_root(const std::vector<ValueId>& parts) {
  const ValueId color = part_left(parts[1]);
  int64_t root = 0;
  if (!in_.values().integer_of(part_left(parts[2]), root) || root < 0) return {};
  for (uint32_t rank = 0; rank < world_.size(); ++rank) {
    Scenario of(in_, world_, rank);
    if (of.part_left(parts[1]) == color && root-- == 0) return of.part_left(parts[0]);
  }
  return {};
}

// A variable that the loop gives another value on other ranks only: on this one it is what it was before the loop.
ValueId Scenario::never_changed(const Value& loop, const std::vector<ValueId>& children) {
  ValueStore& values = in_.values();
  if (children.size() == 2) {
    const ValueId itself = values.node(loop.kind, {{children[0]}}, loop.a, loop.b, loop.c, loop.op, loop.type);
    if (children[1] == itself || children[1] == children[0]) return children[0];
  }
  return values.node(loop.kind, children, loop.a, loop.b, loop.c, loop.op, loop.type);
}

ValueId Scenario::residual(ValueId v) {
  const ValueId left = part_left(v);
  const auto known = known_.find(v.index);
  if (known == known_.end() || std::exchange(known->second.was_asked, true)) return left;
  answers_.push_back({v, left});
  return left;
}

ValueId Scenario::part_left(ValueId v) {
  const Value value = in_.values()[v];
  if (!value.of_rank) return v;
  if (const auto found = known_.find(v.index); found != known_.end()) return found->second.residual;
  const ValueId left = fold(v, value);
  known_.emplace(v.index, Known{left});
  return left;
}

ValueId Scenario::fold(ValueId v, const Value& value) {
  ValueStore& values = in_.values();
  if (value.kind == ValueKind::Opaque && derived_of(values, in_.index(), values.child(v, 0)) == Derived::ImpliesOwn)
    return v;  // one result for all ranks, for any contributions
  std::vector<ValueId> children(values.children(v).begin(), values.children(v).end());
  if (tests_for_large_job(value.op, children)) return v;
  switch (value.kind) {
    case ValueKind::Coordinate: return values.integer(world_.coordinate(rank_, values.axes(AxesId{value.a})));
    case ValueKind::Size: return values.integer(world_.size(values.axes(AxesId{value.a})));
    case ValueKind::Believed: {
      const auto coordinate = world_.coordinate(rank_, values.axes(AxesId{value.a}));
      return value.b == static_cast<uint32_t>(BeliefKind::IsFirst) ? values.boolean(coordinate == 0)
                                                                   : values.integer(coordinate);
    }
    case ValueKind::RankIn:
      return values.integer(world_.coordinate(rank_, *in_.resolve_group(children[0], Unknown::FreshAxis)));
    case ValueKind::SizeIn: return values.integer(world_.size(*in_.resolve_group(children[0], Unknown::FreshAxis)));
    default: break;
  }
  ValueId made;
  if (derived_of(values, in_.index(), v) == Derived::FromRoot) made = from_root(children);
  if (made.valid()) return made;
  for (ValueId& child : children) child = part_left(child);
  if (value.kind == ValueKind::Binary && values.diverges(v))
    if (const std::optional<bool> known = compares_extents(values, value.op, children[0], children[1]))
      made = values.boolean(*known);
  if (value.kind == ValueKind::LoopPhi) made = never_changed(value, children);
  return made.valid() ? made : with_parts(values, v, children);
}

}  // namespace ranklint
