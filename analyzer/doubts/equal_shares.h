// Whether a function deals out as much to each rank as to the others.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// It rounds something to a multiple of the number of ranks: that is only done to get equal shares.
bool makes_equal_shares(const Query& in, FunctionKey f);

}  // namespace ranklint
