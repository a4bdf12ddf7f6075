#include "analyzer/execution/path_condition.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "analyzer/base/work_limit.h"
#include "analyzer/summary/spans.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

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

// Whether two conjunctions, or two disjunctions, have the same parts, in any order.
static bool same_parts(const ValueStore& values, ValueId a, ValueId b) {
  if (values[a].kind != values[b].kind || values[a].child_count != values[b].child_count || values[a].child_count > 8)
    return false;
  const auto left = values.children(a), right = values.children(b);
  return std::is_permutation(left.begin(), left.end(), right.begin());
}

ValueStore::Truth PathCondition::decide(const ValueStore& values, ValueId term) const {
  int budget = kMostDecided;
  return decide(values, term, budget);
}

ValueStore::Truth PathCondition::decide(const ValueStore& values, ValueId given, int& budget) const {
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
    // `x = c or y` kept as a choice: for any c, y decides when it absorbs.
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

ValueId PathCondition::simplify(ValueStore& values, ValueId term) const {
  const auto chosen = [&](ValueId part) {
    return values[part].kind == ValueKind::Conditional ? decide(values, values.child(part, 0))
                                                       : ValueStore::Truth::Unknown;
  };
  if (all_.empty() ||
      !values.find_part(term, [&](ValueId part) { return chosen(part) != ValueStore::Truth::Unknown; }).valid())
    return term;
  std::unordered_map<uint32_t, ValueId> seen;
  const std::function<ValueId(ValueId)> simplify_part = [&](ValueId part) {
    if (const auto found = seen.find(part.index); found != seen.end()) return found->second;
    const ValueStore::Truth truth = chosen(part);
    ValueId made = part;
    if (truth != ValueStore::Truth::Unknown) {
      made = simplify_part(values.child(part, truth == ValueStore::Truth::Yes ? 1 : 2));
    } else {
      const std::vector<ValueId> before(values.children(part).begin(), values.children(part).end());
      std::vector<ValueId> after;
      for (const ValueId child : before) after.push_back(simplify_part(child));
      if (after != before) made = with_parts(values, part, after);
    }
    return seen[part.index] = made;
  };
  return simplify_part(term);
}

ValueId PathCondition::undecided_part(ValueStore& values, ValueId term) const {
  std::map<ValueId, ValueId> known;
  return undecided_part(values, term, known);
}

ValueId PathCondition::undecided_part(ValueStore& values, ValueId term, std::map<ValueId, ValueId>& known) const {
  const Value v = values[term];
  if (all_.empty() || decide(values, term) != ValueStore::Truth::Unknown) return term;
  const bool negates = v.kind == ValueKind::Unary && v.op == ir::Operator::Not;
  if (!negates && v.kind != ValueKind::And && v.kind != ValueKind::Or) return term;
  if (const auto before = known.find(term); before != known.end()) return before->second;
  ValueId made = term;
  if (negates) {
    made = values.unary(ir::Operator::Not, undecided_part(values, values.child(term, 0), known));
  } else {
    const std::vector<ValueId> parts(values.children(term).begin(), values.children(term).end());
    std::vector<ValueId> open;
    for (ValueId part : parts)
      if (decide(values, part) == ValueStore::Truth::Unknown) open.push_back(undecided_part(values, part, known));
    if (!open.empty() && open != parts) made = values.conjunction(v.kind == ValueKind::And, open);
  }
  return known[term] = made;
}

void PathCondition::assume(const ValueStore& values, ValueId given, bool value) {
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
    for (ValueId child : values.children(term)) assume(values, child, holds);
  conclude(values);
}

// A disjunction that holds, all parts of which but one do not, says that the last one does; a conjunction likewise.
void PathCondition::conclude(const ValueStore& values) {
  for (const auto& [term, holds] : all_) {
    const Value& v = values[term];
    if (v.child_count > 8 || !((v.kind == ValueKind::Or && holds) || (v.kind == ValueKind::And && !holds))) continue;
    ValueId open;
    size_t unknown = 0;
    bool decided = false;
    for (ValueId child : values.children(term)) {
      const ValueStore::Truth t = decide(values, child);
      decided = decided || (t != ValueStore::Truth::Unknown && (t == ValueStore::Truth::Yes) == holds);
      if (t == ValueStore::Truth::Unknown && ++unknown) open = child;
    }
    if (decided || unknown != 1) continue;
    return assume(values, open, holds);  // and what follows from that
  }
}

bool PathCondition::includes(const PathCondition& other) const { return std::ranges::includes(all_, other.all_); }

std::optional<PathCondition::Joined> PathCondition::join(const ValueStore& values, const PathCondition& first,
                                                         const PathCondition& second) {
  PathCondition left;
  std::ranges::set_intersection(first.all_, second.all_, std::back_inserter(left.all_));
  for (const auto& [term, holds] : first.all_) {
    if (!std::ranges::binary_search(second.all_, std::pair(term, !holds))) continue;
    PathCondition one = left, other = left;
    one.assume(values, term, holds);
    other.assume(values, term, !holds);
    if (one.all_ == first.all_ && other.all_ == second.all_) return Joined{std::move(left), term, holds};
  }
  return std::nullopt;
}

uint64_t PathCondition::hash() const {
  uint64_t hash = 1469598103934665603ULL;
  for (const auto& [term, value] : all_)
    hash = (hash ^ (static_cast<uint64_t>(term.index) * 2 + value)) * 1099511628211ULL;
  return hash;
}

}  // namespace ranklint
