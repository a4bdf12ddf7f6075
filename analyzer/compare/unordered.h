// Loops around communication whose order ranks need not share (RL114).
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

void find_unordered_loops(const Query& query, Facts& facts);

}  // namespace ranklint
