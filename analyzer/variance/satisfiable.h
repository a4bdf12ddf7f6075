// Whether terms can have the truth that they were taken for, all at once.
//
// Satisfiability modulo equality with uninterpreted functions, orders and constants, as far as a bounded search decides
// it. Conjunctions are split into atoms, disjunctions into clauses; a clause all of whose parts but one are false where
// the atoms hold adds the last one (unit propagation), and a clause that is left open is tried part by part. Atoms are
// decided by congruence closure, which answers for the parts too (congruence.h; Nelson and Oppen, "Fast decision
// procedures based on congruence closure", 1980).
//
// "No" is a proof; "yes" may only mean that the search reached its limit. The limit is a number of checks and not a
// time, so that the same literals give the same answer on every machine.
#pragma once

#include <span>

#include "analyzer/variance/term_literal.h"

namespace ranklint {

bool can_hold_together(ValueStore& values, std::span<const TermLiteral> literals);

}  // namespace ranklint
