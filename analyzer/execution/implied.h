// What a rank has decided on its way to a place although nobody asked it: a branch that matters to no collective, but
// of whose sides only one leads there.
//
//     if sharded and not distributed:
//         raise ValueError(...)       # behind it `sharded and not distributed` does not hold
#pragma once

#include <vector>

#include "analyzer/execution/frames.h"
#include "analyzer/variance/term_literal.h"

namespace ranklint {

// At a position and at the calls that lead there, for one rank; nothing at the end.
std::vector<TermLiteral> implied_at(const Query& query, Frames& frames, Scenario& scenario, const Position& at,
                                    uint8_t viewer);

}  // namespace ranklint
