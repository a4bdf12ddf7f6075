#include "analyzer/variance/rank_condition.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "analyzer/variance/computed.h"
#include "analyzer/variance/ranges.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

using ir::Operator;
using Truth = ValueStore::Truth;

constexpr int kMostStepsOfCondition = 600;  // of one evaluation
constexpr int64_t kMostSize = 4096;         // of a group that is asked
constexpr int64_t kLargestPeriod = 64;

Truth negated(Truth t) { return t == Truth::Unknown ? t : t == Truth::Yes ? Truth::No : Truth::Yes; }

// What the constants in terms can distinguish: no number beyond `reach` from either end, and nothing with a longer
// period.
struct Extent {
  int64_t reach = 2, period = 1;
  bool nonlinear = false;  // a coordinate or a size is a divisor or a factor of another one
  bool is_open = false;    // no sizes are known that distinguish all
};

// By how much the operation divides or scales what stands on one side of `number`. 0: it is no such operation.
int64_t factor_of(Operator op, int64_t number) {
  switch (op) {
    case Operator::Multiply:
    case Operator::FloorDivide:
    case Operator::Modulo:
    case Operator::BitAnd:
      return number > -kLargestPeriod * 2 ? std::max<int64_t>(1, std::abs(number)) : kLargestPeriod * 2;
    case Operator::ShiftLeft:
    case Operator::ShiftRight: return int64_t{1} << std::clamp<int64_t>(number, 0, 30);
    default: return 0;
  }
}

void add_extent(const ValueStore& values, ValueId term, Extent& extent) {
  values.find_part(term, [&](ValueId part) {
    int64_t number = 0;
    if (values[part].kind == ValueKind::Integer && values.integer_of(part, number))
      extent.reach = std::min(kMostSize * 2, extent.reach + std::min(std::abs(number), kMostSize * 2));
    if (values[part].kind != ValueKind::Binary) return false;
    const Operator op = values[part].op;
    extent.is_open |= op == Operator::BitOr || op == Operator::BitXor || op == Operator::Power;
    if (factor_of(op, 1) == 0) return false;
    const bool by_right = values.integer_of(values.child(part, 1), number);
    if (by_right || (op == Operator::Multiply && values.integer_of(values.child(part, 0), number)))
      extent.period = std::min(kLargestPeriod * 2, extent.period * std::min(factor_of(op, number), kLargestPeriod * 2));
    else if (op == Operator::ShiftLeft || op == Operator::ShiftRight)
      extent.is_open = true;
    else
      extent.nonlinear = true;
    return false;
  });
}

std::vector<uint32_t> sizes_for(const Extent& extent) {
  const int64_t largest = 2 * (extent.reach + 2) * (extent.nonlinear ? 4 : 1) * extent.period + 8;
  if (extent.is_open || extent.period > kLargestPeriod || largest > kMostSize) return {};
  std::vector<uint32_t> sizes;
  const auto most = static_cast<uint32_t>(largest);
  for (uint32_t size = 1; size <= (extent.nonlinear ? std::min(most, 40U) : std::min(most, 16U)); ++size)
    sizes.push_back(size);
  for (uint32_t more = 0; more < 4; ++more)
    if (most + more > sizes.back()) sizes.push_back(most + more);
  return sizes;
}

}  // namespace

std::vector<RankVariable> RankCondition::variables_of(ValueId term) const {
  std::vector<RankVariable> found;
  values_.find_part(term, [&](ValueId part) {
    const Value& v = values_[part];
    RankVariable variable;
    if (v.kind == ValueKind::Coordinate || v.kind == ValueKind::Believed)
      variable.axes = AxesId{v.a};
    else if (v.kind == ValueKind::RankIn)
      variable.group = values_.child(part, 0);
    else
      return false;
    if (std::ranges::find(found, variable) == found.end()) found.push_back(variable);
    return false;
  });
  return found;
}

bool RankCondition::is_size_of(ValueId v, const RankVariable& variable) const {
  if (values_[v].kind == ValueKind::Size) return !variable.group.valid() && variable.axes == AxesId{values_[v].a};
  return values_[v].kind == ValueKind::SizeIn && variable.group == values_.child(v, 0);
}

Truth RankCondition::truth(ValueId v, const Asked& asked) const {
  if (const Truth t = values_.truth(v); t != Truth::Unknown) return t;
  if (--asked.budget < 0) return Truth::Unknown;
  const Value& value = values_[v];
  if (value.kind == ValueKind::Unary && value.op == Operator::Not) return negated(truth(values_.child(v, 0), asked));
  if (value.kind == ValueKind::And || value.kind == ValueKind::Or) {
    const Truth absorbing = value.kind == ValueKind::And ? Truth::No : Truth::Yes;
    Truth all = negated(absorbing);
    for (const ValueId part : values_.children(v)) {
      const Truth t = truth(part, asked);
      if (t == absorbing) return absorbing;
      if (t == Truth::Unknown) all = Truth::Unknown;
    }
    return all;
  }
  if (const Maybe made = evaluate(v, asked); made && made->is_number) return made->number != 0 ? Truth::Yes : Truth::No;
  return variables_of(v).empty() ? decide_(v) : Truth::Unknown;
}

RankCondition::Maybe RankCondition::evaluate(ValueId v, const Asked& asked) const {
  if (--asked.budget < 0) return std::nullopt;
  int64_t number = 0;
  if (values_.integer_of(v, number)) return Outcome{true, number, 0};
  const Value& value = values_[v];
  if (is_size_of(v, asked.variable)) return Outcome{true, asked.size, 0};
  switch (value.kind) {
    case ValueKind::Coordinate:
    case ValueKind::Believed: {
      if (asked.variable.group.valid() || asked.variable.axes != AxesId{value.a}) return std::nullopt;
      const bool is_first = value.kind == ValueKind::Believed && value.b == static_cast<uint32_t>(BeliefKind::IsFirst);
      return Outcome{true, is_first ? asked.number == 0 : asked.number, 0};
    }
    case ValueKind::RankIn:
      return asked.variable.group == values_.child(v, 0) ? Maybe(Outcome{true, asked.number, 0}) : std::nullopt;
    case ValueKind::Unary: return evaluate_unary(v, asked);
    case ValueKind::Binary: return evaluate_binary(v, asked);
    case ValueKind::And:
    case ValueKind::Or: {
      const Truth t = truth(v, asked);
      return t == Truth::Unknown ? std::nullopt : Maybe(Outcome{true, t == Truth::Yes, 0});
    }
    case ValueKind::Conditional: {
      const Truth t = truth(values_.child(v, 0), asked);
      return t == Truth::Unknown ? std::nullopt : evaluate(values_.child(v, t == Truth::Yes ? 1 : 2), asked);
    }
    case ValueKind::Tuple: return evaluate_sequence(v, asked);
    case ValueKind::Pure: return evaluate_call(v, asked);
    default: return values_.diverges(v) ? std::nullopt : Maybe(Outcome{false, 0, v.index});
  }
}

RankCondition::Maybe RankCondition::evaluate_unary(ValueId v, const Asked& asked) const {
  if (values_[v].op == Operator::Not) {
    const Truth t = truth(v, asked);
    return t == Truth::Unknown ? std::nullopt : Maybe(Outcome{true, t == Truth::Yes, 0});
  }
  const Maybe operand = evaluate(values_.child(v, 0), asked);
  if (!operand || !operand->is_number) return std::nullopt;
  if (values_[v].op == Operator::Negate) {
    const std::optional<int64_t> negative = computed(Operator::Subtract, 0, operand->number);
    return negative ? Maybe(Outcome{true, *negative, 0}) : std::nullopt;
  }
  return values_[v].op == Operator::Invert ? Maybe(Outcome{true, ~operand->number, 0}) : std::nullopt;
}

RankCondition::Maybe RankCondition::evaluate_member(ValueId v, const Asked& asked) const {
  const Maybe element = evaluate(values_.child(v, 0), asked);
  const ValueId list = values_.child(v, 1);
  if (!element || !element->is_number) return std::nullopt;
  if (const std::optional<NumberRange> range = written_numbers(values_, index_, list))
    return Outcome{true, range->contains(element->number) == (values_[v].op == Operator::In), 0};
  const std::optional<std::span<const ValueId>> parts = written_elements(values_, list);
  if (!parts) return std::nullopt;
  bool found = false;
  for (const ValueId part : *parts) {
    const Maybe other = evaluate(part, asked);
    if (!other || !other->is_number) return std::nullopt;
    found |= *other == *element;
  }
  return Outcome{true, found == (values_[v].op == Operator::In), 0};
}

RankCondition::Maybe RankCondition::evaluate_binary(ValueId v, const Asked& asked) const {
  const Operator op = values_[v].op;
  if (ir::is_membership(op)) return evaluate_member(v, asked);
  const Maybe left = evaluate(values_.child(v, 0), asked), right = evaluate(values_.child(v, 1), asked);
  if (!left || !right) return std::nullopt;
  if (left->is_number && right->is_number) {
    const std::optional<int64_t> made = computed(op, left->number, right->number);
    return made ? Maybe(Outcome{true, *made, 0}) : std::nullopt;
  }
  // A number is not None.
  const auto is_none = [&](uint32_t i) { return values_[values_.child(v, i)].kind == ValueKind::None; };
  if ((op == Operator::Is || op == Operator::IsNot) && (is_none(0) || is_none(1)) &&
      (left->is_number || right->is_number))
    return Outcome{true, op == Operator::IsNot, 0};
  return values_.diverges(v) ? std::nullopt : Maybe(Outcome{false, 0, v.index});
}

// The same parts make the same thing.
RankCondition::Maybe RankCondition::evaluate_sequence(ValueId v, const Asked& asked) const {
  uint64_t name = 1469598103934665603ULL + values_[v].a;
  for (const ValueId part : values_.children(v)) {
    const Maybe made = evaluate(part, asked);
    if (!made) return std::nullopt;
    name = (name ^ (made->is_number ? static_cast<uint64_t>(made->number) * 2 + 1 : made->name * 2)) * 1099511628211ULL;
  }
  return Outcome{false, 0, name};
}

RankCondition::Maybe RankCondition::evaluate_call(ValueId v, const Asked& asked) const {
  if (values_[v].child_count == 1 && values_.is_function_of_number(Symbol{values_[v].a})) {
    const Maybe made = evaluate(values_.child(v, 0), asked);
    if (!made || !made->is_number || made->number == INT64_MIN) return std::nullopt;
    return Outcome{true, values_.of_whole_number(Symbol{values_[v].a}, made->number), 0};
  }
  return values_.diverges(v) ? std::nullopt : Maybe(Outcome{false, 0, v.index});
}

std::optional<bool> RankCondition::holds(ValueId condition, const RankVariable& variable, uint32_t number,
                                         uint32_t size) const {
  const Truth t = truth(condition, Asked{variable, number, size, kMostStepsOfCondition});
  return t == Truth::Unknown ? std::nullopt : std::optional(t == Truth::Yes);
}

// `a and b` that holds is a and b; `a or b` that does not is neither.
std::vector<Requirement> RankCondition::conjuncts(std::span<const Requirement> all) const {
  std::vector<Requirement> work(all.rbegin(), all.rend()), parts;
  while (!work.empty() && parts.size() < ValueStore::kMostOperands) {
    const Requirement r = work.back();
    work.pop_back();
    const Value& v = values_[r.condition];
    const bool splits = (v.kind == ValueKind::And && r.holds) || (v.kind == ValueKind::Or && !r.holds);
    if (v.kind == ValueKind::Unary && v.op == Operator::Not)
      work.push_back({values_.child(r.condition, 0), !r.holds});
    else if (splits)
      for (const ValueId part : values_.children(r.condition)) work.push_back({part, r.holds});
    else
      parts.push_back(r);
  }
  return parts;
}

std::optional<RankSet> RankCondition::set_of(const std::vector<Requirement>& parts, const RankVariable& variable,
                                             bool any) const {
  Extent extent;
  for (const Requirement& r : parts) add_extent(values_, r.condition, extent);
  std::vector<RankSample> samples;
  for (const uint32_t size : sizes_for(extent)) {
    RankSample sample;
    for (uint32_t number = 0; number < size; ++number) {
      bool in = !any;
      for (const Requirement& r : parts) {
        const std::optional<bool> is = holds(r.condition, variable, number, size);
        if (!is) return std::nullopt;
        if (any)
          in = in || *is == r.holds;
        else
          in = in && *is == r.holds;
      }
      sample.push_back(in);
    }
    samples.push_back(std::move(sample));
  }
  if (samples.empty()) return std::nullopt;
  const RankSample& largest = samples.back();
  if (std::ranges::find(largest, true) == largest.end() || std::ranges::find(largest, false) == largest.end())
    return std::nullopt;
  return fit(samples);
}

std::optional<RanksWhere> RankCondition::by_variable(const std::vector<Requirement>& parts, bool any) const {
  std::vector<std::pair<RankVariable, std::vector<Requirement>>> of_each;
  for (const Requirement& r : parts) {
    const std::vector<RankVariable> variables = variables_of(r.condition);
    if (variables.empty()) {
      // What ranks share: as it was taken to be, it says nothing of them.
      const Truth t = decide_(r.condition);
      if (t == Truth::Unknown || ((t == Truth::Yes) == r.holds) == any) return std::nullopt;
      continue;
    }
    if (variables.size() > 1) return std::nullopt;
    auto known = std::ranges::find(of_each, variables[0], &std::pair<RankVariable, std::vector<Requirement>>::first);
    if (known == of_each.end()) known = of_each.insert(known, {variables[0], {}});
    known->second.push_back(r);
  }
  RanksWhere out{.parts = {}, .any = any};
  for (const auto& [variable, own] : of_each) {
    std::optional<RankSet> set = set_of(own, variable, any);
    if (!set) return std::nullopt;
    out.parts.push_back({variable, std::move(*set)});
  }
  return out.parts.empty() ? std::nullopt : std::optional(std::move(out));
}

std::optional<RanksWhere> RankCondition::ranks_where(std::span<const Requirement> all) const {
  const std::vector<Requirement> parts = conjuncts(all);
  if (std::optional<RanksWhere> found = by_variable(parts, false)) return found;
  // One disjunction over several numbers.
  if (parts.size() != 1) return std::nullopt;
  const auto [condition, holds] = parts[0];
  if (!(values_[condition].kind == ValueKind::Or && holds) && !(values_[condition].kind == ValueKind::And && !holds))
    return std::nullopt;
  std::vector<Requirement> sides;
  for (const ValueId part : values_.children(condition)) sides.push_back({part, holds});
  return by_variable(sides, true);
}

}  // namespace ranklint
