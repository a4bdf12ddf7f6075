#include "analyzer/compare/rank_guard.h"

namespace ranklint {

ir::BlockId rank_guard_of(Interpreter& interpreter, const Summary& summary, ir::BlockId block) {
  const FlowGraph& graph = summary.graph;
  for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above)) {
    const ValueId condition = summary.blocks[above.index].condition;
    if (!condition.valid() || interpreter.values().variance(condition).empty()) continue;
    const ir::BlockId join = graph.join(above);
    if (!join.valid() || !graph.dominates(join, block)) return above;
  }
  return {};
}

}  // namespace ranklint
