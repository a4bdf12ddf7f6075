// All-gather: every member reads every input into its own output, beginning with its right neighbour's, so that at no
// time all read the same one (the order of the ring algorithm; on a passage backward the opposite). Cost per core: P *
// n bytes moved. Also carries the few bytes that ranks tell each other when they split a group.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void deliver_all_gather(Members members, size_t member) {
  const Side& out = members.out(member);
  const size_t count = members.size();
  const Passage passage = passage_through(out, count);
  for (size_t step = 0; step < count; ++step) {
    const size_t from = around(member + 1 + in_turn(step, count, passage), count);
    copy_piece(out.piece(from, count), members[from].in.whole, passage);
  }
}

}  // namespace ranklint::runtime
