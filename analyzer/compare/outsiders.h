// Collectives on a group by ranks that are not in it.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

void find_outsiders(const Query& query, Facts& facts);

}  // namespace ranklint
