// The blocks that code may still come to.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "analyzer/flow/graph.h"

namespace ranklint {

// The blocks that are reached from some, these included. `ways_from` is asked once for each and gives the blocks that
// it leads to, among them invalid ones.
template <typename WaysFrom>
std::set<ir::BlockId> reached_from(const std::vector<ir::BlockId>& first, const WaysFrom& ways_from) {
  std::set<ir::BlockId> seen;
  std::vector<ir::BlockId> work;
  const auto meet = [&](ir::BlockId b) {
    if (b.valid() && seen.insert(b).second) work.push_back(b);
  };
  std::ranges::for_each(first, meet);
  while (!work.empty()) {
    const ir::BlockId at = work.back();
    work.pop_back();
    std::ranges::for_each(ways_from(at), meet);
  }
  return seen;
}

// Where a block leads, by an error too.
inline std::vector<ir::BlockId> ways_with_errors(const ir::Function& f, ir::BlockId b) {
  std::vector<ir::BlockId> ways = FlowGraph::successors(f.blocks[b]);
  ways.push_back(f.blocks[b].handler);
  return ways;
}

// Whether some way on from a block reaches one that is such; around another one where that is given. With `forward` a
// loop has no next round.
template <typename IsSuch>
bool leads_to(const ir::Function& f, ir::BlockId from, const IsSuch& is_such, const FlowGraph* forward = nullptr,
              ir::BlockId around = {}) {
  bool found = false;
  reached_from({from}, [&](ir::BlockId at) {
    std::vector<ir::BlockId> ways;
    if (found || at == around) return ways;
    found = is_such(at);
    if (!found) ways = FlowGraph::successors(f.blocks[at]);
    if (forward) std::erase_if(ways, [&](ir::BlockId b) { return forward->position(b) <= forward->position(at); });
    return ways;
  });
  return found;
}

// Likewise a return without an exception.
inline bool may_return(const ir::Function& f, ir::BlockId block, const FlowGraph* forward = nullptr,
                       ir::BlockId around = {}) {
  const auto returns = [&](ir::BlockId b) { return f.blocks[b].terminator.kind == ir::TerminatorKind::Return; };
  return leads_to(f, block, returns, forward, around);
}

}  // namespace ranklint
