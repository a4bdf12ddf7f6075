// Training loops of frameworks that some ranks alone ask to stop (RL102).
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

void find_framework_stops(const Query& query, Facts& facts);

}  // namespace ranklint
