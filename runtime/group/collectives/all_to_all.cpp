// All-to-all: pairwise exchange (Thakur, Rabenseifner, Gropp 2005): in step s member i reads its piece from member i+s,
// so that each buffer has one reader at a time. Cost per core: P pieces moved.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void deliver_all_to_all(Members members, size_t member) {
  const Side& out = members[member].out;
  const bool stream = streams(out.whole.size_bytes);
  for (size_t step = 0; step < members.size(); ++step) {
    const size_t from = (member + step) % members.size();
    copy_piece(out.piece(from, members.size()), members[from].in.piece(member, members.size()), stream);
  }
}

}  // namespace ranklint::runtime
