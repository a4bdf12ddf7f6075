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

// What was asserted in the block of a position, before its step, with what the rank is. Where it does not hold it is
// left out unless it asks for the rank alone: it may hold in a job of another number of ranks, or have held when it was
// asked (`assert GROUP is None`).
std::vector<ValueId> asserted_before(const Query& query, Frames& frames, Scenario& scenario, const Position& at);

// At a position and at the calls that lead there, for one rank; nothing at the end.
std::vector<TermLiteral> implied_at(const Query& query, Frames& frames, Scenario& scenario, const Position& at,
                                    uint8_t viewer);

}  // namespace ranklint
