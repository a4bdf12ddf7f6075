// A test for a file that another rank is about to write or to remove.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Where ranks wait for the others: its place in the text, its block, and whether the ranks that do not arrive found a
// second thing too. (A folder that another rank has just made is still empty.)
struct WaitPlace {
  SourceRange range;
  ir::BlockId block;
  bool finds_more = false;
};

// Whether some ranks alone make what the condition of `guard` found missing, or remove what it found, before they wait,
// in the same function or in one that it calls.
bool is_changed_meanwhile(const Query& query, const Summary& summary, ir::BlockId guard, const WaitPlace& wait);

}  // namespace ranklint
