// What a witness takes for granted about a number, tried out.
#pragma once

#include "analyzer/execution/residual.h"

namespace ranklint {

// Whether some divisor that is known by its name only would have to be impossible: `1 // (8 // stages) == 0` on one
// rank and `== stages - 1` on another. Such divisors are degrees, so it tries 1 to kMostTried, in groups that are large
// enough for the compared ranks.
inline constexpr int kMostTried = 64, kSmallestGroup = 4, kLargestGroup = 8;
bool no_number_fits(ValueStore& values, const PathCondition& choices);

}  // namespace ranklint
