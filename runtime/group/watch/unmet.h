// Operations that their ranks have left without a wait, and that nobody has met by the time all ranks have returned: a
// message that was not received, a receive that was not sent to, a collective that only some have called. Nobody waits
// for them here, so nothing hangs; where a send waits for its receive, and on an accelerator's queue, the same program
// does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/group/watch/wait_for.h"

namespace ranklint::runtime {

// What one rank has left.
struct Unmet {
  uint64_t group = 0;  // its id
  RankState call;      // the first: by group, collectives before messages, in the order of the calls
  size_t more = 0;     // how many others
};

// Of an entry or a transfer, as of the member that would wait for it.
Unmet unmet_of(const WaitFor& wait);
Unmet unmet_of(const GroupInfo& group, const Transfer& transfer);

// One for each rank, in the order of the ranks.
void add(std::vector<Unmet>& all, Unmet one);

}  // namespace ranklint::runtime
