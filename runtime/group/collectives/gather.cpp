// Gather: linear; share i puts member i's tensor into the root's i-th. Cost: n bytes per core.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void share_gather(Members members, size_t share) {
  const Side& out = members.out(root_of(members));
  const Piece piece = out.piece(share, members.size());
  copy_piece(piece, members[share].in.whole, passage_through(piece.data, out.whole.size_bytes));
}

void deliver_gather(Members members, size_t member) {
  if (member != root_of(members)) return;
  for (size_t from = 0; from < members.size(); ++from) share_gather(members, from);
}

}  // namespace ranklint::runtime
