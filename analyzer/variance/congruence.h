// Whether atoms can hold together, where equal things have equal parts.
//
// Terms are put into classes of equal ones: by equalities that hold, by congruence (calls of one function with equal
// arguments), and by evaluation (a term whose parts have become constants folds to another). Classes have a truth, a
// constant, and may be known not to be None: what is true, what an attribute is asked of, what is computed with. A
// contradiction is a class with two constants or two truths, None where it cannot be, two terms that differ in one
// class, or orders that go round. Comparisons are those of numbers: none of them is NaN.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyzer/variance/term_literal.h"

namespace ranklint {

// Whether they can, and of each literal that is asked for whether it is so then.
struct Congruence {
  bool holds = true;                         // false is a proof; true may mean that the terms are too many
  std::vector<std::optional<bool>> answers;  // nothing: it may be either
};
Congruence find_congruence(ValueStore& values, std::span<const TermLiteral> atoms, std::span<const TermLiteral> asked);

}  // namespace ranklint
