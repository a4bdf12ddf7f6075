// What a witness takes for granted about a number, tried out.
#pragma once

#include "analyzer/execution/residual.h"

namespace ranklint {

// Whether some number that is known by its name only, and that something is divided by, would have to be what no number
// is: `1 // (8 // stages) == 0` on one rank and `== stages - 1` on another. Degrees are meant: from 1 to kMostTried, in
// groups that have room for the ranks that are told apart.
inline constexpr int kMostTried = 64, kSmallestGroup = 4, kLargestGroup = 8;
bool no_number_fits(ValueStore& values, const PathCondition& choices);

}  // namespace ranklint
