// Broadcast: the root's n bytes to everybody. Share i carries bytes [i*n/P, (i+1)*n/P) to all other members, as in the
// scatter and all-gather broadcast of van de Geijn (Barnett et al., "Interprocessor collective communication library",
// 1994), where every member does an equal part of the copying; here without the intermediate stop. Cost: each core
// moves (P-1)/P * n bytes, the source is read once.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void share_broadcast(Members members, size_t share) {
  const Piece source = members[root_of(members)].in.whole;
  const ByteRange part = part_of(source.size_bytes, share, members.size());
  const Passage passage = passage_through(source.data + part.begin, source.size_bytes);
  for (size_t i = 0; i < members.size(); ++i)
    if (i != root_of(members))
      copy_bytes(members[i].in.whole.data + part.begin, source.data + part.begin, part.size, passage);
}

void deliver_broadcast(Members members, size_t member) {
  if (member != root_of(members)) copy_piece(members.out(member).whole, members[root_of(members)].in.whole, {});
}

}  // namespace ranklint::runtime
