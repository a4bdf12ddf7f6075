#include "runtime/group/collectives/exchange.h"

#include <algorithm>

#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void run_share(Members members, size_t share) {
  switch (members.terms().op) {
    case OpType::Broadcast: return share_broadcast(members, share);
    case OpType::AllReduce: return share_all_reduce(members, share);
    case OpType::Reduce: return share_reduce(members, share);
    case OpType::Gather: return share_gather(members, share);
    // Each member's result is already a disjoint part of the work.
    case OpType::AllGather:
    case OpType::NewGroup: return deliver_all_gather(members, share);
    case OpType::Scatter: return deliver_scatter(members, share);
    case OpType::ReduceScatter: return deliver_reduce_scatter(members, share);
    case OpType::AllToAll: return deliver_all_to_all(members, share);
    case OpType::Barrier:
    case OpType::MonitoredBarrier:
    case OpType::Send:
    case OpType::Recv: return;
  }
}

void deliver(Members members) {
  const size_t member = members.me();
  switch (members.terms().op) {
    case OpType::Broadcast: return deliver_broadcast(members, member);
    case OpType::AllReduce: return deliver_all_reduce(members, member);
    case OpType::Reduce: return deliver_reduce(members, member);
    case OpType::Gather: return deliver_gather(members, member);
    case OpType::AllGather:
    case OpType::NewGroup: return deliver_all_gather(members, member);
    case OpType::Scatter: return deliver_scatter(members, member);
    case OpType::ReduceScatter: return deliver_reduce_scatter(members, member);
    case OpType::AllToAll: return deliver_all_to_all(members, member);
    case OpType::Barrier:
    case OpType::MonitoredBarrier:
    case OpType::Send:
    case OpType::Recv: return;
  }
}

ByteRange part_of(size_t total_bytes, size_t share, size_t shares) {
  constexpr size_t kLine = 64;
  const auto edge = [&](size_t index) {
    if (index == shares) return total_bytes;
    return std::min(total_bytes, total_bytes / kLine * index / shares * kLine);
  };
  return {edge(share), edge(share + 1) - edge(share)};
}

void copy_piece(const Piece& to, const Piece& from, Passage passage) {
  copy_bytes(to.data, from.data, from.size_bytes, passage);
}

void reduce_range(Members members, ByteRange range, std::span<std::byte* const> targets) {
  if (range.size == 0) return;
  const Terms& terms = members.terms();
  Sources sources(members.size());
  for (size_t i = 0; i < members.size(); ++i) sources.add(members[i].in.whole.data + range.begin);
  const Passage passage = passage_through(targets.front(), members.mine().in.whole.size_bytes);
  reduce_elements(targets, sources.get(), count_in(range.size, terms.dtype), terms.dtype, terms.reduce, passage);
}

}  // namespace ranklint::runtime
