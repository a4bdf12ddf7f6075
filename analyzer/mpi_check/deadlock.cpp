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

std::string where_it_is(const World& world, const Rank& rank) {
  if (rank.waiting) return "waits in `" + rank.waiting->call + "` (" + line_of(world, rank.waiting->place) + ")";
  return rank.machine.state == Machine::State::Ended ? "has ended" : "asks again and again";
}

bool report_collective(World& world, uint32_t r, const Operation& o) {
  const Collective& c = world.collectives[o.collective];
  const Comm& comm = world.comms[o.comm];
  std::vector<uint32_t> all = comm.members;
  all.insert(all.end(), comm.remote.begin(), comm.remote.end());
  for (const uint32_t other : all) {
    if (c.parts.contains(other)) continue;
    const Rank& missing = world.ranks[other];
    Problem& p = report(world, ProblemKind::CollectiveMismatch, r, o.place,
                        "`" + o.call + "` on `" + comm.name + "` is issued by " + rank_name(r) + " and not by " +
                            rank_name(other) + ", which " + where_it_is(world, missing),
                        "make the call on every rank of the communicator");
    if (missing.waiting) add_note(world, p, missing.waiting->place, rank_name(other) + " is here");
    add_lanes(world, p);
    return true;
  }
  return false;
}

// A message in parts, not all of which are ready.
bool is_incomplete(const Operation& o) {
  return o.is_partitioned && o.kind == Operation::Kind::Send && !o.is_under_way;
}

void report_message(World& world, uint32_t r, const Operation& o, bool is_cycle) {
  const bool sends = o.kind == Operation::Kind::Send;
  const std::string peer = o.peer == kAnySource ? "any rank" : "rank " + std::to_string(o.peer);
  const std::string what = "`" + o.call + "` of " + rank_name(r) + (sends ? " to " : " from ") + peer + " with " +
                           (o.tag == kAnyTag ? "any tag" : "tag " + std::to_string(o.tag));
  Problem& p = is_incomplete(o)
                   ? report(world, ProblemKind::RequestMisuse, r, o.place,
                            what + " waits for parts that are never marked as ready", "call `MPI_Pready` for each part")
               : is_cycle
                   ? report(world, ProblemKind::SendCycle, r, o.place,
                            what + " returns only if the library buffers it: the ranks send in a circle",
                            "let one side receive first, or use `MPI_Sendrecv` or `MPI_Isend`")
                   : report(world, ProblemKind::UnmatchedMessage, r, o.place, what + " waits for ever",
                            sends ? "post the receive that belongs to it" : "send the message that it waits for");
  if (o.peer_rank >= 0 && static_cast<size_t>(o.peer_rank) < world.ranks.size()) {
    const Rank& there = world.ranks[static_cast<size_t>(o.peer_rank)];
    if (there.waiting)
      add_note(world, p, there.waiting->place,
               rank_name(static_cast<uint32_t>(o.peer_rank)) + " " + where_it_is(world, there));
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
      Problem& p = report(
          world, rank.waiting->call.starts_with("MPI_Win") ? ProblemKind::EpochMisuse : ProblemKind::CollectiveMismatch,
          r, rank.waiting->place, "`" + rank.waiting->call + "` of " + rank_name(r) + " waits for ever",
          "make the calls that it waits for on the other ranks");
      add_lanes(world, p);
      return;
    }
  lose(world, "ranks wait for nothing that is known");
}

}  // namespace ranklint::mpi_check
