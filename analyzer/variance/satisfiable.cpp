#include "analyzer/variance/satisfiable.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "analyzer/variance/congruence.h"

namespace ranklint {
namespace {

using ir::Operator;
using Clause = std::vector<TermLiteral>;  // one of them has what it was taken for

constexpr int kMostChecks = 200;
constexpr size_t kLongestClause = 8;  // a longer one is left out, which excludes nothing

// Literals as atoms and clauses.
struct NormalForm {
  std::vector<TermLiteral> atoms;
  std::vector<Clause> clauses;
};

class Normalizer {
 public:
  Normalizer(ValueStore& values, NormalForm& out) : values_(values), out_(out) {}

  void add(const TermLiteral& literal) {
    const Value value = values_[literal.term];
    switch (value.kind) {
      case ValueKind::Unary:
        if (value.op == Operator::Not) return add({values_.child(literal.term, 0), !literal.holds, literal.viewer});
        break;
      case ValueKind::And: return add_parts(literal, parts_of(literal), literal.holds);
      case ValueKind::Or: return add_parts(literal, parts_of(literal), !literal.holds);
      case ValueKind::Conditional: return add_choice(literal);
      case ValueKind::Binary:
        if (value.op != Operator::In && value.op != Operator::NotIn) break;
        if (values_[values_.child(literal.term, 1)].kind == ValueKind::Tuple) return add_membership(literal);
        break;
      default: break;
    }
    out_.atoms.push_back(literal);
  }

 private:
  std::vector<TermLiteral> parts_of(const TermLiteral& whole) const {
    std::vector<TermLiteral> parts;
    for (const ValueId part : values_.children(whole.term)) parts.push_back({part, whole.holds, whole.viewer});
    return parts;
  }

  void add_parts(const TermLiteral& whole, const std::vector<TermLiteral>& parts, bool each_holds) {
    if (each_holds)
      for (const TermLiteral& part : parts) add(part);
    else if (whole.term.valid() && parts.size() <= kLongestClause)
      out_.clauses.push_back(parts);
  }

  // `a if c else b` is what it was taken for: `c` does not hold or `a` is, and `c` holds or `b` is.
  void add_choice(const TermLiteral& choice) {
    const auto parts = values_.children(choice.term);
    const TermLiteral condition{parts[0], true, choice.viewer};
    for (const bool first : {true, false}) {
      const TermLiteral side{parts[first ? 1 : 2], choice.holds, choice.viewer};
      const TermLiteral excluded = first ? condition.opposite() : condition;
      if (side == excluded.opposite()) continue;  // `c or y` as a choice between `c` and `y`
      side == excluded ? add(side) : out_.clauses.push_back({excluded, side});
    }
  }

  // `x in (a, b)`: equal to one of them, or to none.
  void add_membership(const TermLiteral& literal) {
    const ValueId element = values_.child(literal.term, 0), list = values_.child(literal.term, 1);
    const bool is_member = (values_[literal.term].op == Operator::In) == literal.holds;
    std::vector<TermLiteral> parts;
    for (uint32_t i = 0; i < values_[list].child_count; ++i)
      parts.push_back({values_.binary(Operator::Equal, element, values_.child(list, i)), is_member, literal.viewer});
    add_parts(literal, parts, !is_member);
  }

  ValueStore& values_;
  NormalForm& out_;
};

class Search {
 public:
  explicit Search(ValueStore& values) : values_(values) {}

  bool finds_model(NormalForm form) {
    if (!is_consistent(form)) return false;
    while (!form.clauses.empty()) {
      std::optional<size_t> shortest;
      bool has_learned = false;
      for (size_t i = 0; i < form.clauses.size() && !has_learned; ++i) {
        Clause& clause = form.clauses[i];
        std::erase_if(clause, [&](const TermLiteral& part) { return !is_consistent(extended(form, part)); });
        if (clause.empty()) return false;
        has_learned = clause.size() == 1;
        if (has_learned)
          form = without_clause(form, i, clause.front());
        else if (!shortest || clause.size() < form.clauses[*shortest].size())
          shortest = i;
      }
      if (is_exhausted()) return true;
      if (has_learned) continue;
      return std::ranges::any_of(Clause(form.clauses[*shortest]), [&](const TermLiteral& part) {
        return finds_model(without_clause(form, *shortest, part));
      });
    }
    return true;
  }

 private:
  bool is_exhausted() const { return checks_ > kMostChecks; }

  bool is_consistent(const NormalForm& form) { return ++checks_ > kMostChecks || are_congruent(values_, form.atoms); }

  NormalForm extended(const NormalForm& form, const TermLiteral& literal) {
    NormalForm out = form;
    Normalizer(values_, out).add(literal);
    return out;
  }

  NormalForm without_clause(const NormalForm& form, size_t clause, TermLiteral chosen) {
    NormalForm out = extended(form, chosen);
    out.clauses.erase(out.clauses.begin() + static_cast<std::ptrdiff_t>(clause));
    return out;
  }

  ValueStore& values_;
  int checks_ = 0;
};

}  // namespace

bool can_hold_together(ValueStore& values, std::span<const TermLiteral> literals) {
  NormalForm form;
  Normalizer normalizer(values, form);
  for (const TermLiteral& literal : literals) normalizer.add(literal);
  return Search(values).finds_model(std::move(form));
}

}  // namespace ranklint
