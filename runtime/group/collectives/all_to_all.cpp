// All-to-all: pairwise exchange (Thakur, Rabenseifner, Gropp 2005): in step s member i reads its piece from member i+s,
// so that each buffer has one reader at a time; on a passage backward the steps come in the opposite order. Cost per
// core: P pieces moved.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void deliver_all_to_all(Members members, size_t member) {
  const Side& out = members.out(member);
  const size_t count = members.size();
  const Passage passage = passage_through(out, count);
  for (size_t step = 0; step < count; ++step) {
    const size_t from = around(member + in_turn(step, count, passage), count);
    copy_piece(out.piece(from, count), members[from].in.piece(member, count), passage);
  }
}

}  // namespace ranklint::runtime
