#include "analyzer/execution/numbers.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ranklint {
namespace {

using Truth = ValueStore::Truth;
using Choice = std::pair<ValueId, bool>;

bool is_computed(ValueKind kind) {
  return kind == ValueKind::Binary || kind == ValueKind::Unary || kind == ValueKind::And || kind == ValueKind::Or ||
         kind == ValueKind::Conditional;
}

bool divides(const Value& v) {
  return v.kind == ValueKind::Binary && (v.op == ir::Operator::FloorDivide || v.op == ir::Operator::Modulo);
}

// What the term rests on: what is neither a constant nor computed. Terms share their parts: each is looked at once as
// what something is divided by, and once as what nothing is.
struct Unknowns {
  std::set<ValueId> found;
  std::set<ValueId> divisors;  // those that something is divided by
};

Unknowns unknowns_of(const ValueStore& values, ValueId whole) {
  Unknowns out;
  std::set<std::pair<ValueId, bool>> seen;
  std::vector<std::pair<ValueId, bool>> work{{whole, false}};
  while (!work.empty()) {
    const auto [term, divides_by] = work.back();
    work.pop_back();
    if (values.is_constant(term) || !seen.insert({term, divides_by}).second) continue;
    if (!is_computed(values[term].kind)) {
      out.found.insert(term);
      if (divides_by) out.divisors.insert(term);
      continue;
    }
    for (uint32_t i = 0; i < values[term].child_count; ++i)
      work.emplace_back(values.child(term, i), divides(values[term]) ? i == 1 : divides_by);
  }
  return out;
}

// A term with a number for the unknown; invalid where something would be divided by zero.
class WithNumber {
 public:
  WithNumber(ValueStore& values, ValueId unknown, ValueId number) : values_(values) { known_[unknown] = number; }

  ValueId of(ValueId term) {
    if (const auto known = known_.find(term); known != known_.end()) return known->second;
    const ValueId made = make(term);
    return known_[term] = made;
  }

 private:
  ValueId make(ValueId term) {
    const Value value = values_[term];
    if (values_.is_constant(term) || !is_computed(value.kind)) return term;
    std::vector<ValueId> parts;
    for (uint32_t i = 0; i < value.child_count; ++i) {
      parts.push_back(of(values_.child(term, i)));
      if (!parts.back().valid()) return {};
    }
    if (int64_t divisor = 0; divides(value) && values_.integer_of(parts[1], divisor) && divisor == 0) return {};
    switch (value.kind) {
      case ValueKind::Unary: return values_.unary(value.op, parts[0]);
      case ValueKind::Binary: return values_.binary(value.op, parts[0], parts[1]);
      case ValueKind::Conditional: return values_.conditional(parts[0], parts[1], parts[2]);
      default: return values_.conjunction(value.kind == ValueKind::And, parts);
    }
  }

  ValueStore& values_;
  std::map<ValueId, ValueId> known_;
};

// What is known of one number that something is divided by: choices that rest on it, and on what is divided beside it.
struct Known {
  std::vector<Choice> choices;
  std::set<ValueId> sizes;
};

bool fits(ValueStore& values, const Known& known, ValueId unknown, int number, int size) {
  return std::ranges::all_of(known.choices, [&](const Choice& choice) {
    ValueId term = WithNumber(values, unknown, values.integer(number)).of(choice.first);
    for (const ValueId group : known.sizes)
      if (term.valid()) term = WithNumber(values, group, values.integer(size)).of(term);
    if (!term.valid()) return false;
    const Truth t = values.truth(term);
    return t == Truth::Unknown || (t == Truth::Yes) == choice.second;
  });
}

}  // namespace

bool no_number_fits(ValueStore& values, const PathCondition& choices) {
  std::map<ValueId, Known> about;
  for (const Choice& choice : choices.all()) {
    auto [unknowns, divisors] = unknowns_of(values, choice.first);
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
