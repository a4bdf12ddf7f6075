#include "analyzer/compare/numbers.h"

#include <algorithm>
#include <map>
#include <set>

namespace ranklint {
namespace {

using Truth = ValueStore::Truth;
using Choice = std::pair<ValueId, bool>;

bool is_computed(ValueKind kind) {
  return kind == ValueKind::Binary || kind == ValueKind::Unary || kind == ValueKind::And || kind == ValueKind::Or || kind == ValueKind::Conditional;
}

bool divides(const Value& v) {
  return v.kind == ValueKind::Binary && (v.op == ir::Operator::FloorDivide || v.op == ir::Operator::Modulo);
}

// What the term rests on: what is neither a constant nor computed. `divisors` are those that something is divided by.
void unknowns_of(const ValueStore& values, ValueId term, bool divides_by, std::set<ValueId>& found, std::set<ValueId>& divisors) {
  if (values.is_constant(term)) return;
  if (!is_computed(values[term].kind)) {
    found.insert(term);
    if (divides_by) divisors.insert(term);
    return;
  }
  for (uint32_t i = 0; i < values[term].child_count; ++i)
    unknowns_of(values, values.child(term, i), divides(values[term]) ? i == 1 : divides_by, found, divisors);
}

// The term with a number for the unknown; invalid where something would be divided by zero.
ValueId with_number(ValueStore& values, ValueId term, ValueId unknown, ValueId number) {
  if (term == unknown) return number;
  const Value value = values[term];
  if (values.is_constant(term) || !is_computed(value.kind)) return term;
  std::vector<ValueId> parts;
  for (uint32_t i = 0; i < value.child_count; ++i) {
    parts.push_back(with_number(values, values.child(term, i), unknown, number));
    if (!parts.back().valid()) return {};
  }
  if (int64_t divisor = 0; divides(value) && values.integer_of(parts[1], divisor) && divisor == 0) return {};
  switch (value.kind) {
    case ValueKind::Unary: return values.unary(value.op, parts[0]);
    case ValueKind::Binary: return values.binary(value.op, parts[0], parts[1]);
    case ValueKind::Conditional: return values.conditional(parts[0], parts[1], parts[2]);
    default: return values.conjunction(value.kind == ValueKind::And, parts);
  }
}

// What is known of one number that something is divided by: choices that rest on it, and on what is divided beside it.
struct Known {
  std::vector<Choice> choices;
  std::set<ValueId> sizes;
};

bool fits(ValueStore& values, const Known& known, ValueId unknown, int number, int size) {
  return std::ranges::all_of(known.choices, [&](const Choice& choice) {
    ValueId term = with_number(values, choice.first, unknown, values.integer(number));
    for (const ValueId group : known.sizes)
      if (term.valid()) term = with_number(values, term, group, values.integer(size));
    if (!term.valid()) return false;
    const Truth t = values.truth(term);
    return t == Truth::Unknown || (t == Truth::Yes) == choice.second;
  });
}

}  // namespace

bool no_number_fits(ValueStore& values, const Choices& choices) {
  std::map<ValueId, Known> about;
  for (const Choice& choice : choices.all()) {
    std::set<ValueId> unknowns, divisors;
    unknowns_of(values, choice.first, false, unknowns, divisors);
    if (divisors.size() != 1 || unknowns.size() > 2) continue;
    Known& known = about[*divisors.begin()];
    known.choices.push_back(choice);
    unknowns.erase(*divisors.begin());
    known.sizes.merge(unknowns);
  }
  return std::ranges::any_of(about, [&](const auto& entry) {
    const auto& [unknown, known] = entry;
    if (known.sizes.size() > 1) return false;
    for (int size = kSmallestGroup; size <= (known.sizes.empty() ? kSmallestGroup : kLargestGroup); ++size)
      for (int n = 1; n <= kMostTried; ++n)
        if (fits(values, known, unknown, n, size)) return false;
    return true;
  });
}

}  // namespace ranklint
