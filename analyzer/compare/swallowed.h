// Handlers that take one rank past a collective, or into one (RL106).
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

void find_swallowed_failures(const Query& query, Facts& facts);

}  // namespace ranklint
