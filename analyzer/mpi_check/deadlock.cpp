// When nothing moves any more: which rank waits for what, reported at the clearest place.
#include <algorithm>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

const Operation* waiting_collective(const World& world, const Rank& rank) {
  if (!rank.waiting) return nullptr;
  for (const uint32_t id : rank.waiting->operations)
    if (const Operation& o = world.operations[id]; o.kind == Operation::Kind::Collective && !o.is_done) return &o;
  return nullptr;
}

const Operation* waiting_message(const World& world, const Rank& rank) {
  if (!rank.waiting) return nullptr;
  for (const uint32_t id : rank.waiting->operations)
    if (const Operation& o = world.operations[id]; o.kind != Operation::Kind::Collective && !o.is_done) return &o;
  return nullptr;
}

// That another rank has no part in the collective: it waits elsewhere or has ended, for nothing moves any more.
Problem& report_missing(World& world, uint32_t r, const Operation& o, uint32_t other) {
  const Rank& missing = world.ranks[other];
  const Argument comm = comm_name(world.comms[o.comm]);
  if (missing.waiting) {
    const uint32_t place = missing.waiting->place;
    Problem& p = report<Fact::MissingRankWaits>(world, r, o.place, o.call, comm, r, other, missing.waiting->call,
                                                mark_of(world, place));
    add_note<Fact::IsHere>(world, p, place, other);
    return p;
  }
  return report<Fact::MissingRankEnded>(world, r, o.place, o.call, comm, r, other);
}

bool report_collective(World& world, uint32_t r, const Operation& o) {
  const Collective& c = world.collectives[o.collective];
  const Comm& comm = world.comms[o.comm];
  std::vector<uint32_t> all = comm.members;
  all.insert(all.end(), comm.remote.begin(), comm.remote.end());
  for (const uint32_t other : all) {
    if (c.parts.contains(other)) continue;
    add_lanes(world, report_missing(world, r, o, other));
    return true;
  }
  return false;
}

// A message in parts, not all of which are ready.
bool is_incomplete(const Operation& o) {
  return o.is_partitioned && o.kind == Operation::Kind::Send && !o.is_under_way;
}

template <Fact fact>
Problem& report_waiting(World& world, uint32_t r, const Operation& o) {
  return report<fact>(world, r, o.place, o.call, r, rank_phrase(o.peer), tag_phrase(o.tag));
}

void report_message(World& world, uint32_t r, const Operation& o, bool is_cycle) {
  const bool sends = o.kind == Operation::Kind::Send;
  Problem& p = is_incomplete(o) ? report_waiting<Fact::PartsNeverReady>(world, r, o)
               : is_cycle       ? report_waiting<Fact::SendsInCircle>(world, r, o)
               : sends          ? report_waiting<Fact::UnansweredSend>(world, r, o)
                                : report_waiting<Fact::UnansweredReceive>(world, r, o);
  if (o.peer_rank >= 0 && static_cast<size_t>(o.peer_rank) < world.ranks.size()) {
    const Rank& there = world.ranks[static_cast<size_t>(o.peer_rank)];
    if (there.waiting)
      add_note<Fact::WaitsHere>(world, p, there.waiting->place, o.peer_rank, there.waiting->call,
                                mark_of(world, there.waiting->place));
  }
  add_lanes(world, p);
}

bool would_finish_with_buffers(const World& world) {
  if (world.sends_are_buffered) return false;
  World again;
  again.wanted.clear();
  for (const Choice& c : world.choices) again.wanted.push_back(c.taken);
  again.sends_are_buffered = true;
  again.asserts_hold = world.asserts_hold;
  run_world(again, *world.program, world.size());
  return again.problems.empty();
}

}  // namespace

void report_deadlock(World& world) {
  world.is_stopped = true;
  bool sends = false;
  for (const Rank& rank : world.ranks)
    if (const Operation* o = waiting_message(world, rank))
      sends = sends || (o->kind == Operation::Kind::Send && o->mode == Operation::Mode::Standard);
  const bool is_cycle = sends && would_finish_with_buffers(world);
  for (uint32_t r = 0; r < world.size(); ++r)
    if (const Operation* o = waiting_message(world, world.ranks[r]); o && is_incomplete(*o))
      return report_message(world, r, *o, false);
  // A rank that is gone, or stands in another collective, is the clearest reason.
  for (uint32_t r = 0; r < world.size() && !is_cycle; ++r)
    if (const Operation* o = waiting_collective(world, world.ranks[r])) {
      const Collective& c = world.collectives[o->collective];
      const Comm& comm = world.comms[o->comm];
      const bool clear = std::any_of(comm.members.begin(), comm.members.end(), [&](uint32_t m) {
        return !c.parts.contains(m) &&
               (world.ranks[m].is_finalized || world.ranks[m].machine.state == Machine::State::Ended ||
                waiting_collective(world, world.ranks[m]));
      });
      if (clear && report_collective(world, r, *o)) return;
    }
  for (const bool want_send : {is_cycle, !is_cycle})
    for (uint32_t r = 0; r < world.size(); ++r)
      if (const Operation* o = waiting_message(world, world.ranks[r]);
          o && (o->kind == Operation::Kind::Send) == want_send)
        return report_message(world, r, *o, is_cycle);
  for (uint32_t r = 0; r < world.size(); ++r)
    if (const Operation* o = waiting_collective(world, world.ranks[r]); o && report_collective(world, r, *o)) return;
  for (uint32_t r = 0; r < world.size(); ++r)
    if (const Rank& rank = world.ranks[r]; rank.waiting && !rank.is_finalized) {
      const Waiting& waiting = *rank.waiting;
      Problem& p = waiting.call.starts_with("MPI_Win")
                       ? report<Fact::EpochNeverEnds>(world, r, waiting.place, waiting.call, r)
                       : report<Fact::CallNeverReturns>(world, r, waiting.place, waiting.call, r);
      add_lanes(world, p);
      return;
    }
  lose(world, "ranks wait for nothing that is known");
}

}  // namespace ranklint::mpi_check
