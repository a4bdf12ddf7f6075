// Calls by some ranks only of what is not known and takes a group (RL905).
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

void find_unknown_callees(const Query& query, Facts& facts);

}  // namespace ranklint
