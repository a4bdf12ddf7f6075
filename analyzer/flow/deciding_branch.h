// Which branches decide whether a block is reached: those above it (that dominate it) whose ways have not met again
// there.
#pragma once

#include "analyzer/flow/graph.h"

namespace ranklint {

// Of a branch that dominates the block.
inline bool decides(const FlowGraph& graph, ir::BlockId branch, ir::BlockId block) {
  const ir::BlockId join = graph.join(branch);
  return !join.valid() || !graph.dominates(join, block);
}

// The innermost that `wanted` takes; invalid when there is none. What is asked of a block may be any that has several
// ways on: a branch, a loop's head, a handler.
template <typename Wanted>
ir::BlockId deciding_branch(const FlowGraph& graph, ir::BlockId block, const Wanted& wanted) {
  for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above))
    if (wanted(above) && decides(graph, above, block)) return above;
  return {};
}

// Whether no `if` of the function decides about the block; loops and handlers may.
inline bool is_on_every_path(const FlowGraph& graph, const ir::Function& function, ir::BlockId block) {
  const auto is_branch = [&](ir::BlockId above) {
    return function.blocks[above].terminator.kind == ir::TerminatorKind::Branch;
  };
  return !deciding_branch(graph, block, is_branch).valid();
}

}  // namespace ranklint
