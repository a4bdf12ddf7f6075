// All-gather: every member reads every input into its own output, beginning with its right neighbour's, so that at no
// time all read the same one (the order of the ring algorithm). Cost per core: P * n bytes moved. Also carries the few
// bytes that ranks tell each other when they split a group.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void deliver_all_gather(Members members, size_t member) {
  const Side& out = members[member].out;
  const bool stream = streams(out.whole.size_bytes);
  for (size_t step = 1; step <= members.size(); ++step) {
    const size_t from = (member + step) % members.size();
    copy_piece(out.piece(from, members.size()), members[from].in.whole, stream);
  }
}

}  // namespace ranklint::runtime
