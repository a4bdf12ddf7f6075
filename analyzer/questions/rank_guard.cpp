#include "analyzer/questions/rank_guard.h"

#include <algorithm>

#include "analyzer/flow/deciding_branch.h"

namespace ranklint {

ir::BlockId rank_guard_of(const Query& query, const Summary& summary, ir::BlockId block) {
  return deciding_branch(summary.graph(), block, [&](ir::BlockId above) {
    const ValueId condition = summary.blocks[above.index].condition;
    return condition.valid() && !query.values().variance(condition).empty();
  });
}

ir::BlockId diverging_guard_of(const ValueStore& values, const Summary& summary, ir::BlockId block) {
  return deciding_branch(summary.graph(), block, [&](ir::BlockId above) {
    const ValueId condition = summary.blocks[above.index].condition;
    return condition.valid() && values.diverges(condition);
  });
}

bool is_asserted_of_rank(const Query& query, const Summary& summary, ir::BlockId block) {
  const auto speaks_of_rank = [&](const auto& asserted) { return !query.values().variance(asserted.second).empty(); };
  for (ir::BlockId above = block; above.valid(); above = summary.graph().dominator(above))
    if (std::ranges::any_of(summary.blocks[above.index].asserted, speaks_of_rank)) return true;
  return false;
}

bool ends_process(const BlockSteps& block) {
  return std::ranges::any_of(block.steps, [](const Step& step) {
    return step.ending == Ending::Process || step.ending == Ending::ProcessDone;
  });
}

RankSide rank_side_of(const Query& query, const Summary& summary, ir::BlockId block) {
  const FlowGraph& graph = summary.graph();
  if (!graph.reachable(block)) return {};
  for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above)) {
    const ir::Terminator& end = query.index().function(summary.function).blocks[above].terminator;
    const ValueId condition = summary.blocks[above.index].condition;
    if (end.kind != ir::TerminatorKind::Branch || !condition.valid() || query.values().variance(condition).empty())
      continue;
    for (const bool side : {true, false}) {
      const ir::BlockId next = end.successors[side ? 0 : 1];
      if (graph.predecessors(next).size() == 1 && graph.dominates(next, block)) return {above, side};
    }
  }
  return {};
}

}  // namespace ranklint
