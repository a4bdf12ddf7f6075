// Reduce-scatter: pairwise exchange (Thakur, Rabenseifner, Gropp 2005, for long messages and commutative operations),
// all steps at once: member i reads piece i of every input in rank order and writes the result once. Cost per core: P
// pieces read, one written.
#include "runtime/group/collectives/operations.h"

namespace ranklint::runtime {

void deliver_reduce_scatter(Members members, size_t member) {
  const Piece target = members.out(member).whole;
  if (target.size_bytes == 0) return;
  const Terms& terms = members.terms();
  Sources sources(members.size());
  for (size_t i = 0; i < members.size(); ++i) sources.add(members[i].in.piece(member, members.size()).data);
  std::byte* const address = target.data;
  reduce_elements({&address, 1}, sources.get(), count_in(target.size_bytes, terms.dtype), terms.dtype, terms.reduce,
                  passage_through(target.data, members.mine().in.whole.size_bytes));
}

}  // namespace ranklint::runtime
