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
    while (true) {
      if (++checks_ > kMostChecks) return true;
      std::vector<TermLiteral> asked;
      for (const Clause& clause : form.clauses) asked.insert(asked.end(), clause.begin(), clause.end());
      const Congruence known = find_congruence(values_, form.atoms, asked);
      if (!known.holds) return false;
      if (!drop_answered(form.clauses, known.answers)) return false;
      if (form.clauses.empty()) return true;
      const auto shortest = std::ranges::min_element(form.clauses, {}, [](const Clause& c) { return c.size(); });
      const auto at = static_cast<size_t>(shortest - form.clauses.begin());
      if (shortest->size() > 1)
        return std::ranges::any_of(
            Clause(*shortest), [&](const TermLiteral& part) { return finds_model(without_clause(form, at, part)); });
      form = without_clause(form, at, shortest->front());
    }
  }

 private:
  // Clauses that hold, and parts that do not. False: one has no other parts.
  static bool drop_answered(std::vector<Clause>& clauses, const std::vector<std::optional<bool>>& answers) {
    std::vector<Clause> open;
    auto answer = answers.begin();
    for (const Clause& clause : clauses) {
      Clause left;
      bool holds = false;
      for (const TermLiteral& part : clause) {
        holds = holds || *answer == true;
        if (!*answer++) left.push_back(part);
      }
      if (holds) continue;
      if (left.empty()) return false;
      open.push_back(std::move(left));
    }
    clauses = std::move(open);
    return true;
  }

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
