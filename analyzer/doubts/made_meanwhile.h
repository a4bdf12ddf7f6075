// A test for a file that another rank is about to write.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether some ranks alone make what the condition of `guard` found missing, in front of `before`, in the same
// function.
bool is_made_meanwhile(const Query& query, const Summary& summary, ir::BlockId guard, SourceRange before);

}  // namespace ranklint
