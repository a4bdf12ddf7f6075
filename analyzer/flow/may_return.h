// Whether code that has come somewhere may still return.
#pragma once

#include <set>
#include <vector>

#include "analyzer/flow/graph.h"

namespace ranklint {

// Whether some way from the block comes to a return without an exception.
inline bool may_return(const ir::Function& f, ir::BlockId block) {
  std::set<ir::BlockId> seen{block};
  std::vector<ir::BlockId> work{block};
  while (!work.empty()) {
    const ir::Block& b = f.blocks[work.back()];
    work.pop_back();
    if (b.terminator.kind == ir::TerminatorKind::Return) return true;
    for (const ir::BlockId next : FlowGraph::successors(b))
      if (seen.insert(next).second) work.push_back(next);
  }
  return false;
}

}  // namespace ranklint
