// Ranks of the world where those of a group are meant, and the other way round.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// Fills Facts::divergent_arguments with roots.
void find_foreign_roots(const Query& query, Facts& facts);

}  // namespace ranklint
