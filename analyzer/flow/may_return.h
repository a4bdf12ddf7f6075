// Whether code that has come somewhere may still return, or come somewhere else.
#pragma once

#include <set>
#include <vector>

#include "analyzer/flow/graph.h"

namespace ranklint {

// Whether some way on from a block reaches one that is such; around another one where that is given. With `forward` a
// loop has no next round.
template <typename IsSuch>
bool leads_to(const ir::Function& f, ir::BlockId from, const IsSuch& is_such, const FlowGraph* forward = nullptr,
              ir::BlockId around = {}) {
  std::set<ir::BlockId> seen{from};
  std::vector<ir::BlockId> work{from};
  while (!work.empty()) {
    const ir::BlockId at = work.back();
    work.pop_back();
    if (at == around) continue;
    if (is_such(at)) return true;
    for (const ir::BlockId next : FlowGraph::successors(f.blocks[at]))
      if ((!forward || forward->position(next) > forward->position(at)) && seen.insert(next).second)
        work.push_back(next);
  }
  return false;
}

// Likewise a return without an exception.
inline bool may_return(const ir::Function& f, ir::BlockId block, const FlowGraph* forward = nullptr,
                       ir::BlockId around = {}) {
  const auto returns = [&](ir::BlockId b) { return f.blocks[b].terminator.kind == ir::TerminatorKind::Return; };
  return leads_to(f, block, returns, forward, around);
}

}  // namespace ranklint
