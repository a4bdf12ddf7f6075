// Collectives in code that somebody else runs at a moment of his own (RL113).
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

void find_detached_collectives(const Query& query, Facts& facts);

}  // namespace ranklint
