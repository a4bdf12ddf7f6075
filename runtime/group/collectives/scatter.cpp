// Scatter: linear; each member reads its piece from the root. Cost: n bytes per core.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void deliver_scatter(Members members, size_t member) {
  const Side& in = members[root_of(members)].in;
  const Piece& out = members.out(member).whole;
  copy_piece(out, in.piece(member, members.size()), passage_through(out.data, in.whole.size_bytes));
}

}  // namespace ranklint::runtime
