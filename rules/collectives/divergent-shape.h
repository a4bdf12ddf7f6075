// Tensors whose size is each rank's own.
#pragma once

#include <vector>

#include "rules/spot.h"

namespace ranklint::divergent_shape {

// Collectives that need one size on all ranks, given as many elements of a rank's own data as a test picks: the
// collective, what it is given, where the elements were picked, the operation.
std::vector<Spot> selected_elements(const Query& in);

}  // namespace ranklint::divergent_shape
