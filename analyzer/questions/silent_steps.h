// Which steps send nothing, by how a distributed tensor lies on its mesh where the function that holds it says so.
#pragma once

#include <vector>

#include "analyzer/summary/query.h"

namespace ranklint {

// Steps that communicate by their name and send nothing: `full_tensor()` of a tensor that every rank has whole, `copy_`
// between equal placements or from a whole tensor into parts.
std::vector<SiteId> silent_steps(const Query& in);

}  // namespace ranklint
