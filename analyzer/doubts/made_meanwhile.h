// A test for a file that another rank is about to write or to remove.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Where the other ranks are waited for: what stands there in the text, and the block that it belongs to.
struct WaitPlace {
  SourceRange range;
  ir::BlockId block;
};

// Whether some ranks alone make what the condition of `guard` found missing, or remove what it found, before they wait,
// in the same function or in one that it calls.
bool is_changed_meanwhile(const Query& query, const Summary& summary, ir::BlockId guard, const WaitPlace& wait);

}  // namespace ranklint
