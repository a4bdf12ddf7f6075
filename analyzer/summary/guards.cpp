#include "analyzer/summary/guards.h"

namespace ranklint {

ValueId guard_of(ValueStore& values, const Summary& s, const ir::Function& f, ir::BlockId block) {
  std::vector<ValueId> conditions;
  for (ir::BlockId at = block, above = s.graph.dominator(at); above.valid(); at = above, above = s.graph.dominator(above)) {
    const ir::Terminator& end = f.blocks[above].terminator;
    const ValueId condition = s.blocks[above.index].condition;
    if (end.kind != ir::TerminatorKind::Branch || !condition.valid() || !values.diverges(condition)) continue;
    // Where the sides have met again, the way past them leads through both.
    const auto through = [&](ir::BlockId side) { return s.graph.predecessors(side).size() == 1 && s.graph.dominates(side, block); };
    const bool yes = through(end.successors[0]), no = through(end.successors[1]);
    if (yes != no) conditions.push_back(yes ? condition : values.unary(ir::Operator::Not, condition));
  }
  return conditions.empty() ? ValueId{} : values.conjunction(true, conditions);
}

}  // namespace ranklint
