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

// `rank == 0`, `not rank`, and not `rank < size`, which holds everywhere.
static bool tests_rank(const ValueStore& values, ValueId asserted) {
  const Value& v = values[asserted];
  const bool is_test = (v.kind == ValueKind::Binary && v.op == ir::Operator::Equal) ||
                       (v.kind == ValueKind::Unary && v.op == ir::Operator::Not);
  return is_test && !values.variance(asserted).empty();
}

bool is_below_rank_assertion(const Query& query, const Summary& summary, ProgramPoint place) {
  for (ir::BlockId above = place.block; above.valid(); above = summary.graph().dominator(above))
    for (const auto& [instruction, asserted] : summary.blocks[above.index].asserted)
      if ((above != place.block || instruction < place.instruction) && tests_rank(query.values(), asserted))
        return true;
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
