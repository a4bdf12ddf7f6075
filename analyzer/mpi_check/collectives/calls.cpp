// The calls of collectives: where the ranks of a communicator meet, and what follows when all have arrived.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/collectives/agreement.h"
#include "analyzer/mpi_check/collectives/arguments.h"
#include "analyzer/mpi_check/collectives/data.h"

namespace ranklint::mpi_check {

namespace {

std::vector<uint32_t> everyone(const Comm& comm) {
  std::vector<uint32_t> all = comm.members;
  all.insert(all.end(), comm.remote.begin(), comm.remote.end());
  return all;
}

// Which ranks know of which when it is over: all of all, or only through the root.
void join_clocks(World& world, Collective& c) {
  const MovementKind kind = c.moves.kind;
  const bool from_root = kind == MovementKind::Broadcast || kind == MovementKind::Scatter,
             to_root = kind == MovementKind::Reduce || kind == MovementKind::Gather;
  std::vector<uint64_t> all(world.size(), 0);
  for (const auto& [rank, part] : c.parts) {
    if (from_root && rank_in(world.comms[c.comm].members, rank) != part.root) continue;
    const auto& clock = world.operations[part.operation].clock;
    for (size_t i = 0; i < all.size() && i < clock.size(); ++i) all[i] = std::max(all[i], clock[i]);
  }
  for (const auto& [rank, part] : c.parts) {
    const bool learns = !to_root || rank_in(world.comms[c.comm].members, rank) == part.root;
    if (learns) world.operations[part.operation].clock = all;
  }
}

void complete(World& world, Collective& c) {
  c.is_done = true;
  if (!fit_together(world, c)) {
    world.is_stopped = true;
    return;
  }
  if (c.moves.moves_now())
    move_data(world, c);
  else if (c.name.starts_with("Win_"))
    complete_window_call(world, c);
  else if (c.name.starts_with("File_"))
    complete_file_call(world, c);
  else
    complete_creation(world, c);
  if (c.name != "Intercomm_create")
    for (const auto& [rank, part] : c.parts) world.operations[part.operation].is_done = true;
  join_clocks(world, c);
}

// Where the ranks of the communicator meet: by its channel, and how many came before there.
using Meeting = std::pair<uint32_t, uint32_t>;

std::optional<uint32_t> meet(Call& call, uint32_t comm_id, Meeting at, const std::string& name, Part part,
                             Movement moves) {
  World& world = call.world;
  auto [it, is_new] = world.collective_at.try_emplace(at, static_cast<uint32_t>(world.collectives.size()));
  if (is_new)
    world.collectives.push_back({.name = name,
                                 .moves = moves,
                                 .comm = comm_id,
                                 .starts = moves.form == Movement::Form::Persistent ? world.channels++ : 0});
  Collective& c = world.collectives[it->second];
  if (c.name != name) {
    report_mismatch(world, c, call);
    return std::nullopt;
  }
  Operation o{.kind = Operation::Kind::Collective,
              .rank = call.m.rank,
              .comm = comm_id,
              .place = call.place,
              .call = call.name};
  o.collective = it->second;
  o.clock = call.rank.clock;
  const auto id = static_cast<uint32_t>(world.operations.size());
  world.operations.push_back(std::move(o));
  part.rank = call.m.rank;
  part.operation = id;
  c.parts[part.rank] = std::move(part);
  if (c.parts.size() == everyone(world.comms[comm_id]).size()) complete(world, c);
  return id;
}

// Persistent collectives meet when they are described, in the order of all collectives; each start of one meets the
// same start of the others, in any order of a rank's starts (MPI 4.0, 6.13).
CallResult describe(Call& call, uint32_t comm, const Part& part) {
  const Movement moves = call.signature->moves;
  const auto id = arrive(call, comm, call.name.substr(4), part, moves);
  if (!id) return stop(call);
  const uint32_t request = make_request(call, call.argument('q'), {});
  World& world = call.world;
  Request& r = world.requests[request];
  r.is_persistent = true;
  r.is_active = false;
  const uint32_t channel = world.collectives[world.operations[*id].collective].starts;
  r.start = [&world, &m = call.m, part, comm, channel, started = moves.with(Movement::Form::Immediate),
             name = call.name, place = call.place, signature = call.signature, starts = 0u]() mutable {
    Call again{.world = world,
               .m = m,
               .rank = world.of(m),
               .signature = signature,
               .name = name,
               .arguments = {},
               .place = place};
    const auto operation = meet(again, comm, {channel, starts++}, name.substr(4), part, started);
    if (!operation) return std::vector<uint32_t>{};
    hold_parts(world, *operation, world.comms[comm], part, started);
    return std::vector<uint32_t>{*operation};
  };
  return wait_for(call, {*id});
}

CallResult collective(Call& call) {
  const Movement moves = call.signature->moves;
  const auto comm = comm_of(call, call.argument('c'));
  if (!comm) return not_known(call, "the communicator of `" + call.name + "` is not known");
  const Comm& c = call.world.comms[*comm];
  if ((moves.kind == MovementKind::Scan || moves.kind == MovementKind::Exscan) && !c.remote.empty())
    return refuse<Fact::ScanBetweenGroups>(call);
  Part part{.rank = call.m.rank};
  fill_buffers(call, part);
  if (const int at = call.index('r'); at >= 0) {
    const auto root = number(call.at(static_cast<size_t>(at)));
    if (!root) return not_known(call, "the root of `" + call.name + "` is not known");
    part.root = *root;
  }
  if (const int at = call.index('o'); at >= 0) {
    const Handle* h = handle_at(call, call.at(static_cast<size_t>(at)));
    part.op = h ? call.world.operators[h->id] : Operator{};
    if (!h) part.counts_known = false;
  }
  if (!fill_lists(call, c, moves, part) || !check_part(call, c, moves, part)) return stop(call);
  if (moves.of_neighbours && c.topology.kind == Topology::Kind::None) return refuse<Fact::NoTopology>(call);
  touch_buffers(call, c, moves, part);
  note_step<Fact::CallOn>(call, comm_name(c));
  const uint32_t comm_id = *comm;
  if (moves.form == Movement::Form::Persistent) return describe(call, comm_id, part);
  const auto id = arrive(call, *comm, call.name.substr(4), part, moves);
  if (!id) return stop(call);
  if (moves.form == Movement::Form::Waits) return wait_for(call, {*id});
  make_request(call, call.argument('q'), {*id});
  hold_parts(call.world, *id, call.world.comms[comm_id], part, moves);
  return success();
}

constexpr std::array kCollectiveCalls = {
    Signature{"Barrier", "c", collective, kBarrier},
    Signature{"Bcast", "Bntrc", collective, kBroadcast},
    Signature{"Reduce", "bBntorc", collective, kReduce},
    Signature{"Allreduce", "bBntoc", collective, kAllReduce},
    Signature{"Scan", "bBntoc", collective, kScan},
    Signature{"Exscan", "bBntoc", collective, kExscan},
    Signature{"Gather", "bntBntrc", collective, kGather},
    Signature{"Scatter", "bntBntrc", collective, kScatter},
    Signature{"Allgather", "bntBntc", collective, kAllGather},
    Signature{"Alltoall", "bntBntc", collective, kAllToAll},
    Signature{"Gatherv", "bntB..trc", collective, kGather.with(kCounts)},
    Signature{"Scatterv", "b..tBntrc", collective, kScatter.with(kCounts)},
    Signature{"Allgatherv", "bntB..tc", collective, kAllGather.with(kCounts)},
    Signature{"Alltoallv", "b..tB..tc", collective, kAllToAll.with(kCounts)},
    Signature{"Alltoallw", "b...B...c", collective, kAllToAll.with(kTypes)},
    Signature{"Reduce_scatter", "bB.toc", collective, kReduceScatter.with(kCounts)},
    Signature{"Reduce_scatter_block", "bBntoc", collective, kReduceScatter},
    Signature{"Neighbor_allgather", "bntBntc", collective, kAllGather.between_neighbours()},
    Signature{"Neighbor_allgatherv", "bntB..tc", collective, kAllGather.with(kCounts).between_neighbours()},
    Signature{"Neighbor_alltoall", "bntBntc", collective, kAllToAll.between_neighbours()},
    Signature{"Neighbor_alltoallv", "b..tB..tc", collective, kAllToAll.with(kCounts).between_neighbours()},
    Signature{"Neighbor_alltoallw", "b...B...c", collective, kAllToAll.with(kTypes).between_neighbours()},
    Signature{"Ibarrier", "cq", collective, kBarrier.with(kImmediate)},
    Signature{"Ibcast", "Bntrcq", collective, kBroadcast.with(kImmediate)},
    Signature{"Ireduce", "bBntorcq", collective, kReduce.with(kImmediate)},
    Signature{"Iallreduce", "bBntocq", collective, kAllReduce.with(kImmediate)},
    Signature{"Iscan", "bBntocq", collective, kScan.with(kImmediate)},
    Signature{"Iexscan", "bBntocq", collective, kExscan.with(kImmediate)},
    Signature{"Igather", "bntBntrcq", collective, kGather.with(kImmediate)},
    Signature{"Iscatter", "bntBntrcq", collective, kScatter.with(kImmediate)},
    Signature{"Iallgather", "bntBntcq", collective, kAllGather.with(kImmediate)},
    Signature{"Ialltoall", "bntBntcq", collective, kAllToAll.with(kImmediate)},
    Signature{"Igatherv", "bntB..trcq", collective, kGather.with(kCounts).with(kImmediate)},
    Signature{"Iscatterv", "b..tBntrcq", collective, kScatter.with(kCounts).with(kImmediate)},
    Signature{"Iallgatherv", "bntB..tcq", collective, kAllGather.with(kCounts).with(kImmediate)},
    Signature{"Ialltoallv", "b..tB..tcq", collective, kAllToAll.with(kCounts).with(kImmediate)},
    Signature{"Ialltoallw", "b...B...cq", collective, kAllToAll.with(kTypes).with(kImmediate)},
    Signature{"Ireduce_scatter", "bB.tocq", collective, kReduceScatter.with(kCounts).with(kImmediate)},
    Signature{"Ireduce_scatter_block", "bBntocq", collective, kReduceScatter.with(kImmediate)},
    Signature{"Ineighbor_allgather", "bntBntcq", collective, kAllGather.between_neighbours().with(kImmediate)},
    Signature{"Ineighbor_allgatherv", "bntB..tcq", collective,
              kAllGather.with(kCounts).between_neighbours().with(kImmediate)},
    Signature{"Ineighbor_alltoall", "bntBntcq", collective, kAllToAll.between_neighbours().with(kImmediate)},
    Signature{"Ineighbor_alltoallv", "b..tB..tcq", collective,
              kAllToAll.with(kCounts).between_neighbours().with(kImmediate)},
    Signature{"Ineighbor_alltoallw", "b...B...cq", collective,
              kAllToAll.with(kTypes).between_neighbours().with(kImmediate)},
    Signature{"Barrier_init", "cIq", collective, kBarrier.with(kPersistent)},
    Signature{"Bcast_init", "BntrcIq", collective, kBroadcast.with(kPersistent)},
    Signature{"Reduce_init", "bBntorcIq", collective, kReduce.with(kPersistent)},
    Signature{"Allreduce_init", "bBntocIq", collective, kAllReduce.with(kPersistent)},
    Signature{"Gather_init", "bntBntrcIq", collective, kGather.with(kPersistent)},
    Signature{"Scatter_init", "bntBntrcIq", collective, kScatter.with(kPersistent)},
    Signature{"Allgather_init", "bntBntcIq", collective, kAllGather.with(kPersistent)},
    Signature{"Alltoall_init", "bntBntcIq", collective, kAllToAll.with(kPersistent)},
    Signature{"Scan_init", "bBntocIq", collective, kScan.with(kPersistent)},
    Signature{"Exscan_init", "bBntocIq", collective, kExscan.with(kPersistent)},
    Signature{"Gatherv_init", "bntB..trcIq", collective, kGather.with(kCounts).with(kPersistent)},
    Signature{"Scatterv_init", "b..tBntrcIq", collective, kScatter.with(kCounts).with(kPersistent)},
    Signature{"Allgatherv_init", "bntB..tcIq", collective, kAllGather.with(kCounts).with(kPersistent)},
    Signature{"Alltoallv_init", "b..tB..tcIq", collective, kAllToAll.with(kCounts).with(kPersistent)},
    Signature{"Alltoallw_init", "b...B...cIq", collective, kAllToAll.with(kTypes).with(kPersistent)},
    Signature{"Reduce_scatter_init", "bB.tocIq", collective, kReduceScatter.with(kCounts).with(kPersistent)},
    Signature{"Reduce_scatter_block_init", "bBntocIq", collective, kReduceScatter.with(kPersistent)},
    Signature{"Neighbor_allgather_init", "bntBntcIq", collective, kAllGather.between_neighbours().with(kPersistent)},
    Signature{"Neighbor_allgatherv_init", "bntB..tcIq", collective,
              kAllGather.with(kCounts).between_neighbours().with(kPersistent)},
    Signature{"Neighbor_alltoall_init", "bntBntcIq", collective, kAllToAll.between_neighbours().with(kPersistent)},
    Signature{"Neighbor_alltoallv_init", "b..tB..tcIq", collective,
              kAllToAll.with(kCounts).between_neighbours().with(kPersistent)},
    Signature{"Neighbor_alltoallw_init", "b...B...cIq", collective,
              kAllToAll.with(kTypes).between_neighbours().with(kPersistent)},
};

}  // namespace

std::optional<uint32_t> arrive(Call& call, uint32_t comm_id, const std::string& name, Part part, Movement moves) {
  Comm& comm = call.world.comms[comm_id];
  const int64_t own = rank_in(comm.members, call.m.rank);
  if (own < 0) return std::nullopt;
  return meet(call, comm_id, {comm.channel, comm.issued[static_cast<size_t>(own)]++}, name, std::move(part), moves);
}

std::span<const Signature> collective_calls() { return kCollectiveCalls; }

}  // namespace ranklint::mpi_check
