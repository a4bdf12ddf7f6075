// One thing that a rank may wait for: that all members come to an entry, or that the other end of a transfer does. What
// follows (the copying) always ends by itself, so nobody waits for it in the sense of the watchdog.
#pragma once

#include "runtime/group/verdict.h"
#include "runtime/group/watch/entry.h"
#include "runtime/group/watch/group_info.h"
#include "runtime/group/watch/transfer.h"
#include "runtime/group/watch/wait_graph.h"

namespace ranklint::runtime {

struct WaitFor {
  const GroupInfo* group = nullptr;
  int member = 0;  // who waits
  // One of these. They stay where they are while the wait lasts.
  const Entry* entry = nullptr;
  uint64_t sequence = 0;  // of the call in the entry
  const Transfer* transfer = nullptr;
  // Or a flag that one seat sets: a queue when a call is carried out, a rank when it hands in another (one_queue.h).
  const std::atomic<size_t>* flag = nullptr;
  int flag_seat = 0;
};

bool is_ready(const WaitFor& wait);
bool is_disputed(const WaitFor& wait);
WaitCondition condition_of(const WaitFor& wait);  // targets are seats

// Who needs all of them: what is met already is left out, and who needs nothing more runs.
WaitNode node_of(std::span<const WaitFor> waits);

// Fills in what `state` says about the call. Only for an entry or a transfer.
void describe(const WaitFor& wait, RankState& state);

}  // namespace ranklint::runtime
