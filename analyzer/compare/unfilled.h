// Rounds over a collection that an object keeps, where the one on the way has nothing in it.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/resolve/index.h"

namespace ranklint {

// Whether one of the steps stands in a loop over such a collection: then no rank comes to what is below it.
bool goes_round_unfilled(const ProjectIndex& index, const std::vector<PathStep>& steps);

}  // namespace ranklint
