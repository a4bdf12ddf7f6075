#include "analyzer/doubts/scene.h"

namespace ranklint {

// The blocks from one on, up to where the sides of a branch meet again and back to the branch itself.
static std::set<ir::BlockId> side_of(const ir::Function& f, ir::BlockId first, ir::BlockId branch, ir::BlockId join) {
  std::set<ir::BlockId> side;
  std::vector<ir::BlockId> work{first};
  while (!work.empty()) {
    const ir::BlockId b = work.back();
    work.pop_back();
    if (!b.valid() || b == join || b == branch || !side.insert(b).second) continue;
    work.push_back(f.blocks[b].handler);
    for (const ir::BlockId next : FlowGraph::successors(f.blocks[b])) work.push_back(next);
  }
  return side;
}

std::set<ir::BlockId> Scene::own_side(Who who) const {
  const Position& at = divergence().at;
  const ir::BlockId join = summary(at.frame).graph().join(at.block);
  std::set<ir::BlockId> blocks = side_of(code(at.frame), side(who), at.block, join);
  for (const ir::BlockId block : side_of(code(at.frame), side(other(who)), at.block, join)) blocks.erase(block);
  return blocks;
}

}  // namespace ranklint
