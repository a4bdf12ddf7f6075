// Guards that ask for a rank and are harmless, because the group does not span the axis that they ask about.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

void find_uniform_guards(const Query& query, Facts& facts);

}  // namespace ranklint
