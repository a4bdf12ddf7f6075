#include "analyzer/doubts/scene.h"

#include "analyzer/flow/reached.h"

namespace ranklint {

// The blocks from one on, up to where the sides of a branch meet again and back to the branch itself.
static std::set<ir::BlockId> side_of(const ir::Function& f, ir::BlockId first, ir::BlockId branch, ir::BlockId join) {
  std::set<ir::BlockId> side = reached_from({first}, [&](ir::BlockId b) {
    return b == join || b == branch ? std::vector<ir::BlockId>() : ways_with_errors(f, b);
  });
  side.erase(join);
  side.erase(branch);
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
