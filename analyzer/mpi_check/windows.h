// One-sided communication: windows, their epochs, and what is accessed within them.
//
// Two accesses of the same memory are in conflict if one writes and nothing orders them: neither comes to its end
// before the other begins. Each rank has a vector clock that moves with its calls and is joined where ranks
// synchronise; a remote access begins when it is issued and ends with the call that completes it (fence, complete,
// unlock, flush), a local one is over at once. Two accumulates of one rank, two with one operator, and two accesses
// under locks of the same window one of which is exclusive, exclude each other. As in Lamport's order; the rules of
// conflict are those of MPI's chapter on one-sided communication, section "Semantics and Correctness".
#pragma once

#include <optional>
#include <string>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

constexpr int64_t kExclusive = 234, kShared = 235;                                        // MPI_LOCK_...
constexpr int64_t kNoStore = 2048, kNoPut = 4096, kNoPrecede = 8192, kNoSucceed = 16384;  // MPI_MODE_...

// windows.cpp: the window that the call is given. Nothing: it is not known, or null.
Win* win_of(Call& call);
uint32_t win_id(Call& call);
uint32_t own_rank(const World& world, const Win& win, uint32_t rank);
WinSide& side_of(Call& call, Win& win);
CallResult no_window(Call& call);
// Reports a call that the epoch does not allow, and stops; `since`: where the epoch began.
template <Fact fact, class... Given>
CallResult misuse(Call& call, uint32_t since, Given&&... given) {
  Problem& p = invalid<fact>(call, std::forward<Given>(given)...);
  if (since) add_note<Fact::EpochBeginsHere>(call.world, p, since);
  return stop(call);
}
bool check_target(Call& call, const Win& win, const Value& target);

// window_epochs.cpp: refuses what comes before an epoch of another kind has ended.
CallResult open_epoch(Call& call, Win& win);
void open_fenced(World& world, Collective& c);

// window_accesses.cpp
bool has_open_access(const Win& win, uint32_t rank);
// The accesses of a rank come to their ends, to one rank of the world or to all (negative).
void end_accesses(World& world, Win& win, uint32_t origin, int64_t target);

}  // namespace ranklint::mpi_check
