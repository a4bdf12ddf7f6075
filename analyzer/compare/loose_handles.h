// Asynchronous collectives that nobody waits for, and buffers touched before somebody does (RL112).
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

void find_loose_handles(const Query& query, Facts& facts);

}  // namespace ranklint
