// On which side of a branch a block lies that is reached by way of it, or that comes next.
#pragma once

#include <optional>

#include "analyzer/flow/graph.h"

namespace ranklint {

// Whether it lies where the branch's condition holds, or where it does not; nothing: both ways lead there, or it is no
// branch.
inline std::optional<bool> side_of_branch(const FlowGraph& graph, const ir::Function& f, ir::BlockId branch,
                                          ir::BlockId block) {
  const ir::Terminator& end = f.blocks[branch].terminator;
  if (end.kind != ir::TerminatorKind::Branch) return std::nullopt;
  const auto leads_there = [&](ir::BlockId side) {
    return graph.predecessors(side).size() == 1 && graph.dominates(side, block);
  };
  if (leads_there(end.successors[0])) return true;
  return leads_there(end.successors[1]) ? std::optional(false) : std::nullopt;
}

// The same of the next block, to which the branch leads by one of its sides alone.
inline std::optional<bool> side_taken(const ir::Function& f, ir::BlockId branch, ir::BlockId next) {
  const ir::Terminator& end = f.blocks[branch].terminator;
  if (end.kind != ir::TerminatorKind::Branch || end.successors[0] == end.successors[1]) return std::nullopt;
  if (end.successors[0] == next) return true;
  return end.successors[1] == next ? std::optional(false) : std::nullopt;
}

}  // namespace ranklint
