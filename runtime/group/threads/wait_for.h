// One thing that a rank may wait for: that all members come to an entry, or that the other end of a transfer does. What
// follows (the copying) always ends by itself, so nobody waits for it in the sense of the watchdog.
#pragma once

#include "runtime/group/threads/entry.h"
#include "runtime/group/threads/group_info.h"
#include "runtime/group/threads/transfer.h"
#include "runtime/group/threads/wait_graph.h"
#include "runtime/group/verdict.h"

namespace ranklint::runtime {

struct WaitFor {
  const GroupInfo* group = nullptr;
  int member = 0;  // who waits
  // One of the two. Both stay where they are while the wait lasts.
  const Entry* entry = nullptr;
  const Transfer* transfer = nullptr;
};

bool is_ready(const WaitFor& wait);
bool is_disputed(const WaitFor& wait);
WaitCondition condition_of(const WaitFor& wait);  // targets are global ranks
const Signature& signature_of(const WaitFor& wait);
uint64_t sequence_of(const WaitFor& wait);

// Fills in what `state` says about the call.
void describe(const WaitFor& wait, RankState& state);

}  // namespace ranklint::runtime
