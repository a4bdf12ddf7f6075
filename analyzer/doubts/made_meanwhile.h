// A test for a file that another rank is about to write or to remove.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether some ranks alone make what the condition of `guard` found missing, or remove what it found, in front of
// `before`, in the same function.
bool is_changed_meanwhile(const Query& query, const Summary& summary, ir::BlockId guard, SourceRange before);

}  // namespace ranklint
