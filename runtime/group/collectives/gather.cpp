// Gather: linear; share i puts member i's tensor into the root's i-th. Cost: n bytes per core.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void share_gather(Members members, size_t share) {
  const Side& out = members[root_of(members)].out;
  copy_piece(out.piece(share, members.size()), members[share].in.whole, streams(out.whole.size_bytes));
}

void deliver_gather(Members members, size_t member) {
  if (member != root_of(members)) return;
  for (size_t from = 0; from < members.size(); ++from) share_gather(members, from);
}

}  // namespace ranklint::runtime
