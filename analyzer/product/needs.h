// How large a world has to be for conditions over ranks to come out both ways somewhere in it.
#pragma once

#include "analyzer/mesh/world.h"
#include "analyzer/variance/values.h"

namespace ranklint {

// Adds what the comparisons of coordinates with numbers in a term ask for, and what is computed from one coordinate.
void add_needs(const ValueStore& values, const ProjectIndex& index, ValueId term, WorldNeeds& needs);

}  // namespace ranklint
