#include "analyzer/execution/residual.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analyzer/base/work_limit.h"
#include "analyzer/summary/spans.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

// `size > 256`: the world here is small, the job may be large. All ranks decide it alike.
bool Scenario::asks_for_large_job(ir::Operator op, const std::vector<ValueId>& children) const {
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

// What a comparison of extents says, taken for granted that there are none below zero: `rank * rows > rank * rows +
// rows` asks for a mistake that no rank makes alone.
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
  if (value.child_count == 0 && value.kind != ValueKind::Coordinate && value.kind != ValueKind::Size) return v;
  if (const auto found = known_.find(v.index); found != known_.end()) return found->second.residual;
  const ValueId left = fold(v, value);
  known_.emplace(v.index, Known{left});
  return left;
}

ValueId Scenario::fold(ValueId v, const Value& value) {
  ValueStore& values = in_.values();
  if (value.kind == ValueKind::Opaque && derived_of(values, in_.index(), values.child(v, 0)) == Derived::ImpliesOwn)
    return v;  // one result for all ranks, whatever each of them gave
  std::vector<ValueId> children(values.children(v).begin(), values.children(v).end());
  if (asks_for_large_job(value.op, children)) return v;
  switch (value.kind) {
    case ValueKind::Coordinate: return values.integer(world_.coordinate(rank_, values.axes(AxesId{value.a})));
    case ValueKind::Size: return values.integer(world_.size(values.axes(AxesId{value.a})));
    case ValueKind::Believed: {
      const auto coordinate = world_.coordinate(rank_, values.axes(AxesId{value.a}));
      return value.b == static_cast<uint32_t>(BeliefKind::IsFirst) ? values.boolean(coordinate == 0)
                                                                   : values.integer(coordinate);
    }
    case ValueKind::RankIn: return values.integer(world_.coordinate(rank_, *in_.as_group(children[0], true)));
    case ValueKind::SizeIn: return values.integer(world_.size(*in_.as_group(children[0], true)));
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

namespace {

// Parts of one condition that a decision looks at: terms share parts, and looking again costs time, not truth.
constexpr int kMostDecided = 1000;

// A term and its negation are one choice.
std::pair<ValueId, bool> normal(const ValueStore& values, ValueId term) {
  bool positive = true;
  while (values[term].kind == ValueKind::Unary && values[term].op == ir::Operator::Not) {
    term = values.child(term, 0);
    positive = !positive;
  }
  return {term, positive};
}

// `c or y` and `c and y` as values are choices between the two; as conditions they are what they say.
bool is_disjunction(const ValueStore& values, ValueId term) {
  return values[term].kind == ValueKind::Conditional && values.child(term, 0) == values.child(term, 1);
}
bool is_conjunction(const ValueStore& values, ValueId term) {
  return values[term].kind == ValueKind::Conditional && values.child(term, 0) == values.child(term, 2);
}

// A comparison of a term with an integer, as the integers that the term may be when it holds.
struct Bound {
  ValueId term;
  int64_t low = INT64_MIN, high = INT64_MAX;
};

std::optional<Bound> bound_of(const ValueStore& values, ValueId comparison, bool holds) {
  using ir::Operator;
  const Value& v = values[comparison];
  if (v.kind != ValueKind::Binary) return std::nullopt;
  const ValueId left = values.child(comparison, 0), right = values.child(comparison, 1);
  int64_t limit = 0;
  const bool at_right = values.integer_of(right, limit);
  if (!at_right && !values.integer_of(left, limit)) return std::nullopt;
  if (limit <= INT64_MIN + 1 || limit >= INT64_MAX - 1) return std::nullopt;
  Operator op = v.op;
  if (!at_right) {
    switch (op) {
      case Operator::Less: op = Operator::Greater; break;
      case Operator::LessEqual: op = Operator::GreaterEqual; break;
      case Operator::Greater: op = Operator::Less; break;
      case Operator::GreaterEqual: op = Operator::LessEqual; break;
      default: break;
    }
  }
  const ValueId term = at_right ? left : right;
  switch (op) {
    case Operator::Less: return holds ? Bound{term, INT64_MIN, limit - 1} : Bound{term, limit, INT64_MAX};
    case Operator::LessEqual: return holds ? Bound{term, INT64_MIN, limit} : Bound{term, limit + 1, INT64_MAX};
    case Operator::Greater: return holds ? Bound{term, limit + 1, INT64_MAX} : Bound{term, INT64_MIN, limit};
    case Operator::GreaterEqual: return holds ? Bound{term, limit, INT64_MAX} : Bound{term, INT64_MIN, limit - 1};
    case Operator::Equal: return holds ? std::optional(Bound{term, limit, limit}) : std::nullopt;
    case Operator::NotEqual: return holds ? std::nullopt : std::optional(Bound{term, limit, limit});
    default: return std::nullopt;
  }
}

// What earlier comparisons of the same term with integers say about this one.
ValueStore::Truth by_bounds(const ValueStore& values, ValueId term,
                            const std::vector<std::pair<ValueId, bool>>& known) {
  const std::optional<Bound> yes = bound_of(values, term, true), no = bound_of(values, term, false);
  if (!yes && !no) return ValueStore::Truth::Unknown;
  const ValueId about = yes ? yes->term : no->term;
  int64_t low = INT64_MIN, high = INT64_MAX;
  for (const auto& [earlier, holds] : known)
    if (const std::optional<Bound> bound = bound_of(values, earlier, holds); bound && bound->term == about) {
      low = std::max(low, bound->low);
      high = std::min(high, bound->high);
    }
  if (yes && (low > yes->high || high < yes->low)) return ValueStore::Truth::No;
  if (no && (low > no->high || high < no->low)) return ValueStore::Truth::Yes;
  return ValueStore::Truth::Unknown;
}

}  // namespace

// Whether two conjunctions, or two disjunctions, have the same parts, in whatever order.
static bool same_parts(const ValueStore& values, ValueId a, ValueId b) {
  if (values[a].kind != values[b].kind || values[a].child_count != values[b].child_count || values[a].child_count > 8)
    return false;
  const auto left = values.children(a), right = values.children(b);
  return std::is_permutation(left.begin(), left.end(), right.begin());
}

ValueStore::Truth Choices::decide(const ValueStore& values, ValueId term) const {
  int budget = kMostDecided;
  return decide(values, term, budget);
}

ValueStore::Truth Choices::decide(const ValueStore& values, ValueId given, int& budget) const {
  using Truth = ValueStore::Truth;
  if (--budget < 0) return Truth::Unknown;
  charge_work(1 + all_.size() / 8);
  const auto [term, positive] = normal(values, given);
  auto as = [&](Truth t) { return t == Truth::Unknown || positive ? t : t == Truth::Yes ? Truth::No : Truth::Yes; };
  if (const Truth t = values.truth(term); t != Truth::Unknown) return as(t);
  for (const auto& [known, value] : all_)
    if (known == term) return as(value ? Truth::Yes : Truth::No);
  const Value& v = values[term];
  if (v.kind == ValueKind::And || v.kind == ValueKind::Or) {
    const Truth absorbing = v.kind == ValueKind::And ? Truth::No : Truth::Yes;
    for (const auto& [known, value] : all_)
      if (same_parts(values, known, term)) return as(value ? Truth::Yes : Truth::No);
    bool unknown = false;
    for (ValueId child : values.children(term)) {
      const Truth t = decide(values, child, budget);
      if (t == absorbing) return as(absorbing);
      unknown |= t == Truth::Unknown;
    }
    return unknown ? Truth::Unknown : as(absorbing == Truth::No ? Truth::Yes : Truth::No);
  }
  if (v.kind == ValueKind::Conditional) {
    if (const Truth c = decide(values, values.child(term, 0), budget); c != Truth::Unknown)
      return as(decide(values, values.child(term, c == Truth::Yes ? 1 : 2), budget));
    // `x = c or y` kept as a choice: whatever c is, y decides when it absorbs.
    if (is_disjunction(values, term) && decide(values, values.child(term, 2), budget) == Truth::Yes)
      return as(Truth::Yes);
    if (is_conjunction(values, term) && decide(values, values.child(term, 1), budget) == Truth::No)
      return as(Truth::No);
  }
  if (v.kind == ValueKind::Binary) {
    if (const Truth t = by_bounds(values, term, all_); t != Truth::Unknown) return as(t);
    // x == 1 is decided by x == 0; `is` and `is not`, `==` and `!=` are one choice each.
    const ValueId left = values.child(term, 0), right = values.child(term, 1);
    for (const auto& [known, value] : all_) {
      const Value& k = values[known];
      if (k.kind != ValueKind::Binary || values.child(known, 0) != left) continue;
      const ValueId other = values.child(known, 1);
      auto opposite = [&](ir::Operator a, ir::Operator b) {
        return (v.op == a && k.op == b) || (v.op == b && k.op == a);
      };
      if (other == right &&
          (opposite(ir::Operator::Equal, ir::Operator::NotEqual) || opposite(ir::Operator::Is, ir::Operator::IsNot) ||
           opposite(ir::Operator::In, ir::Operator::NotIn) ||
           opposite(ir::Operator::Less, ir::Operator::GreaterEqual) ||
           opposite(ir::Operator::Greater, ir::Operator::LessEqual)))
        return as(value ? Truth::No : Truth::Yes);
      const bool k_equal = (k.op == ir::Operator::Equal && value) || (k.op == ir::Operator::NotEqual && !value);
      if (k_equal && other != right && values.is_constant(other) && values.is_constant(right)) {
        if (v.op == ir::Operator::Equal) return as(Truth::No);
        if (v.op == ir::Operator::NotEqual) return as(Truth::Yes);
      }
    }
  }
  return Truth::Unknown;
}

ValueId Choices::settled(ValueStore& values, ValueId term) const {
  const auto chosen = [&](ValueId part) {
    return values[part].kind == ValueKind::Conditional ? decide(values, values.child(part, 0))
                                                       : ValueStore::Truth::Unknown;
  };
  if (all_.empty() ||
      !values.find_part(term, [&](ValueId part) { return chosen(part) != ValueStore::Truth::Unknown; }).valid())
    return term;
  std::unordered_map<uint32_t, ValueId> seen;
  const std::function<ValueId(ValueId)> settle = [&](ValueId part) {
    if (const auto found = seen.find(part.index); found != seen.end()) return found->second;
    const ValueStore::Truth truth = chosen(part);
    ValueId made = part;
    if (truth != ValueStore::Truth::Unknown) {
      made = settle(values.child(part, truth == ValueStore::Truth::Yes ? 1 : 2));
    } else {
      const std::vector<ValueId> before(values.children(part).begin(), values.children(part).end());
      std::vector<ValueId> after;
      for (const ValueId child : before) after.push_back(settle(child));
      if (after != before) made = with_parts(values, part, after);
    }
    return seen[part.index] = made;
  };
  return settle(term);
}

ValueId Choices::open_part(ValueStore& values, ValueId term) const {
  const Value v = values[term];
  if (all_.empty() || decide(values, term) != ValueStore::Truth::Unknown) return term;
  if (v.kind == ValueKind::Unary && v.op == ir::Operator::Not)
    return values.unary(ir::Operator::Not, open_part(values, values.child(term, 0)));
  if (v.kind != ValueKind::And && v.kind != ValueKind::Or) return term;
  const std::vector<ValueId> parts(values.children(term).begin(), values.children(term).end());
  std::vector<ValueId> open;
  for (ValueId part : parts)
    if (decide(values, part) == ValueStore::Truth::Unknown) open.push_back(open_part(values, part));
  return open.empty() || open == parts ? term : values.conjunction(v.kind == ValueKind::And, open);
}

void Choices::choose(const ValueStore& values, ValueId given, bool value) {
  const auto [term, positive] = normal(values, given);
  const std::pair entry{term, value == positive};
  const auto place = std::lower_bound(all_.begin(), all_.end(), entry);
  if (place != all_.end() && *place == entry) return;
  all_.insert(place, entry);
  // What a conjunction's truth says of its parts.
  const Value& v = values[term];
  const bool holds = value == positive;
  if ((v.kind == ValueKind::And && holds) || (v.kind == ValueKind::Or && !holds) ||
      (is_conjunction(values, term) && holds) || (is_disjunction(values, term) && !holds))
    for (ValueId child : values.children(term)) choose(values, child, holds);
  conclude(values);
}

// A disjunction that holds, all parts of which but one do not, says that the last one does; a conjunction likewise.
void Choices::conclude(const ValueStore& values) {
  for (const auto& [term, holds] : all_) {
    const Value& v = values[term];
    if (v.child_count > 8 || !((v.kind == ValueKind::Or && holds) || (v.kind == ValueKind::And && !holds))) continue;
    ValueId open;
    size_t unknown = 0;
    bool settled = false;
    for (ValueId child : values.children(term)) {
      const ValueStore::Truth t = decide(values, child);
      settled = settled || (t != ValueStore::Truth::Unknown && (t == ValueStore::Truth::Yes) == holds);
      if (t == ValueStore::Truth::Unknown && ++unknown) open = child;
    }
    if (settled || unknown != 1) continue;
    return choose(values, open, holds);  // and what follows from that
  }
}

uint64_t Choices::hash() const {
  uint64_t hash = 1469598103934665603ULL;
  for (const auto& [term, value] : all_)
    hash = (hash ^ (static_cast<uint64_t>(term.index) * 2 + value)) * 1099511628211ULL;
  return hash;
}

}  // namespace ranklint
