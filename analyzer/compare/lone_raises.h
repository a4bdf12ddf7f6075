// Ranks that raise over what they alone have looked at, while the others go on to a collective (RL106).
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

void find_lone_raises(const Query& query, Facts& facts);

}  // namespace ranklint
