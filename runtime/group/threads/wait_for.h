// One thing that a rank may wait for: that all members come to an entry, or that the other end of a transfer does. What
// follows (the copying) always ends by itself, so nobody waits for it in the sense of the watchdog.
#pragma once

#include "runtime/group/threads/entry.h"
#include "runtime/group/threads/group_info.h"
#include "runtime/group/threads/transfer.h"
#include "runtime/group/threads/wait_graph.h"
#include "runtime/group/verdict.h"

namespace ranklint::runtime {

class CallQueue;
struct QueuedCall;

struct WaitFor {
  const GroupInfo* group = nullptr;
  int member = 0;  // who waits
  // One of these. They stay where they are while the wait lasts.
  const Entry* entry = nullptr;
  const Transfer* transfer = nullptr;
  // Or, where ranks hand their calls to queues: that this call is carried out; that the rank hands in another.
  const QueuedCall* queued = nullptr;
  const CallQueue* queue = nullptr;
};

bool is_ready(const WaitFor& wait);
bool is_disputed(const WaitFor& wait);
WaitCondition condition_of(const WaitFor& wait);  // targets are seats

// Fills in what `state` says about the call. Only for an entry or a transfer.
void describe(const WaitFor& wait, RankState& state);

}  // namespace ranklint::runtime
