// All-reduce: reduce-scatter and all-gather in one pass, after Rabenseifner ("Optimization of Collective Reduction
// Operations", 2004): share i reduces part i of all inputs and at once writes the result to all outputs, while it is
// in cache. In place, so the lines written are those just read. Cost per core: n reads, n writes, (P-1)/P * n reduced.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void share_all_reduce(Members members, size_t share) {
  const ByteRange part = part_of(members.mine().in.whole.size_bytes, share, members.size());
  Targets targets(members.size());
  for (size_t i = 0; i < members.size(); ++i) targets.add(members[i].in.whole.data + part.begin);
  reduce_range(members, part, targets.get());
}

void deliver_all_reduce(Members members, size_t member) {
  std::byte* const target = members.out(member).whole.data;
  reduce_range(members, {0, members.out(member).whole.size_bytes}, {&target, 1});
}

}  // namespace ranklint::runtime
