// Scatter: linear; each member reads its piece from the root. Cost: n bytes per core.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void deliver_scatter(Members members, size_t member) {
  const Side& in = members[root_of(members)].in;
  copy_piece(members[member].out.whole, in.piece(member, members.size()), streams(in.whole.size_bytes));
}

}  // namespace ranklint::runtime
