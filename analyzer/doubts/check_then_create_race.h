// A test for a file that another rank is about to write or to remove.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Where the other ranks are waited for: what stands there in the text, the block that it belongs to, and whether those
// who do not come have found a second thing: a folder that is made meanwhile has nothing in it yet.
struct WaitPlace {
  SourceRange range;
  ir::BlockId block;
  bool finds_more = false;
};

// Whether some ranks alone make what the condition of `guard` found missing, or remove what it found, before they wait,
// in the same function or in one that it calls.
bool is_changed_meanwhile(const Query& query, const Summary& summary, ir::BlockId guard, const WaitPlace& wait);

}  // namespace ranklint
