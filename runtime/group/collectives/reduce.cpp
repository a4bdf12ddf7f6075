// Reduce: share i reduces part i of all inputs straight into the root's tensor (the reduce-scatter and gather of
// Rabenseifner without the gather). Cost per core: n bytes read, n/P written.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void share_reduce(Members members, size_t share) {
  const Piece target = members[root_of(members)].in.whole;
  const ByteRange part = part_of(target.size_bytes, share, members.size());
  std::byte* const address = target.data + part.begin;
  reduce_range(members, part, {&address, 1});
}

void deliver_reduce(Members members, size_t member) {
  if (member == root_of(members)) deliver_all_reduce(members, member);
}

}  // namespace ranklint::runtime
