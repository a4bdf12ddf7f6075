// Where a job stands still, from the dumps of its ranks.
//
// Calls on a group are numbered, and the same number is the same call for all of its members. So for a call that is not
// over, each member is in one of four places: in it as well; in a call of the same number that is another (the ranks
// disagree); before it (it has not arrived, and its last call says where it is); or unknown, where its dump is missing
// or its ring has forgotten. Of each group only the first such call is reported: later calls wait for it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/trace/dump.h"

namespace ranklint::app {

// What one member of the group does about the call.
struct Standing {
  enum class Where { InIt, InAnother, NotThere, NoDump };
  int rank = 0;
  Where where = Where::NoDump;
  const TraceEntry* entry = nullptr;  // InIt, InAnother: the call; NotThere: the last that it issued at all, or null
};

struct Stuck {
  enum class Kind {
    Disagree,  // members issue different calls
    Missing,   // some have not come
    Slow,      // all members that are known are in it
  };
  Kind kind = Kind::Slow;
  std::string group;  // its name
  std::string group_said;
  int64_t sequence = 0;
  std::string op;
  std::vector<Standing> members;  // by rank
};

// Disagreements first, then what is missing; a call that only waits for others that are reported comes last. Views the
// dumps.
std::vector<Stuck> find_stuck(std::span<const Dump> dumps);

// The first frame that is not a library's; null when there is none.
const Frame* own_frame(const TraceEntry& entry);

}  // namespace ranklint::app
