// Conditions that must hold where a rank stands, although the walk did not choose them: of a branch that no collective
// depends on, only one side leads there; what was asserted on the way; and where a model that a method wraps
// communicates, what it wraps it under (wrapped_when.h).
//
//     if sharded and not distributed:
//         raise ValueError(...)       # after this, `sharded and not distributed` does not hold
#pragma once

#include <vector>

#include "analyzer/execution/frames.h"
#include "analyzer/variance/term_literal.h"

namespace ranklint {

// What was asserted in the block of a position, before its step, with what the rank is. `reached`: a block of the same
// function that is reached by way of it. An assertion that does not hold is left out
// - if it asks for the number of ranks, which is another in other jobs;
// - if it reads a variable that others give a value: it may have held when it was asked (`assert GROUP is None`);
// - if a handler or a context around it may let its error pass.
std::vector<ValueId> asserted_before(const Query& query, Frames& frames, Scenario& scenario, const Position& at,
                                     ir::BlockId reached);

// Whether the step there would communicate for a model in a wrapper, and the model is in none.
bool is_of_bare_model(const Query& query, Frames& frames, Scenario& scenario, const Position& at);

// At a position and at the calls that lead there, for one rank; nothing at the end.
std::vector<TermLiteral> implied_at(const Query& query, Frames& frames, Scenario& scenario, const Position& at,
                                    uint8_t viewer);

}  // namespace ranklint
