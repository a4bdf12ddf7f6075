// Generators that communicate between their yields, and ranks that stop resuming them before the others do.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

void find_left_generators(const Query& query, Facts& facts);

}  // namespace ranklint
