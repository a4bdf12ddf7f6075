// What every rank has posted so far, as a program that can be run: operations in order, with the world's numbers.
#include "analyzer/mpi_check/world.h"

namespace ranklint::mpi_check {

namespace {

// A wildcard takes what it took here; where nothing came, any sender.
int64_t peer_of(const World& world, const Operation& o) {
  if (o.peer_rank >= 0) return o.peer_rank;
  if (o.is_matched && o.partner < world.operations.size()) return world.operations[o.partner].rank;
  return (o.rank + 1) % world.size();
}

int64_t tag_of(const World& world, const Operation& o) {
  if (o.tag != kAnyTag) return o.tag;
  return o.is_matched && o.partner < world.operations.size() ? world.operations[o.partner].tag : 0;
}

Argument reduction(const Part& part) {
  if (!part.op) return {};
  if (part.op->is_user) return Phrase(state<Fact::OperatorMadeAt>(part.op->made_at));
  return part.op->name.starts_with("MPI_") ? part.op->name.substr(4) : part.op->name;
}

void add_collective(const World& world, const Operation& o, Posted& posted) {
  if (o.collective >= world.collectives.size()) return;
  const auto part = world.collectives[o.collective].parts.find(o.rank);
  if (part == world.collectives[o.collective].parts.end()) return;
  posted.reduce = reduction(part->second);
  const int64_t root = part->second.root;
  if (root >= 0 && static_cast<size_t>(root) < posted.members.size())
    posted.root = posted.members[static_cast<size_t>(root)];
}

Posted posted_of(const World& world, const Operation& o) {
  Posted posted;
  posted.kind = o.kind == Operation::Kind::Send      ? Posted::Kind::Send
                : o.kind == Operation::Kind::Receive ? Posted::Kind::Receive
                                                     : Posted::Kind::Collective;
  posted.call = o.call;
  posted.channel = world.comms[o.comm].channel;
  posted.members = world.comms[o.comm].members;
  posted.mark = mark_of(world, o.place);
  posted.starts_only =
      o.call.starts_with("MPI_I") && o.call != "MPI_Intercomm_create" && o.call != "MPI_Intercomm_merge";
  if (posted.kind == Posted::Kind::Collective) {
    add_collective(world, o, posted);
  } else {
    posted.peer = peer_of(world, o);
    posted.tag = tag_of(world, o);
    posted.is_matched = o.is_matched;
  }
  return posted;
}

bool is_shown(const World& world, const Operation& o) {
  const bool transfers =
      o.kind == Operation::Kind::Send || o.kind == Operation::Kind::Receive || o.kind == Operation::Kind::Collective;
  return transfers && o.rank < world.size() && o.comm < world.comms.size() && world.comms[o.comm].remote.empty() &&
         !o.is_cancelled;
}

}  // namespace

void add_posted(const World& world, Problem& problem) {
  problem.posted.assign(world.size(), {});
  for (const Operation& o : world.operations)
    if (is_shown(world, o)) problem.posted[o.rank].push_back(posted_of(world, o));
  for (const auto& [rank, posted] : world.out_of_step) problem.posted[rank].push_back(posted);
}

}  // namespace ranklint::mpi_check
