#include "analyzer/summary/guards.h"

namespace ranklint {

namespace {

// Gives each condition on which ranks may disagree that leads to the block, and on which side of it that lies, from the
// inside out, until `take` stops it.
template <typename Take>
void each_guard(const ValueStore& values, const Summary& s, const ir::Function& f, ir::BlockId block, Take take) {
  for (ir::BlockId above = s.graph().dominator(block); above.valid(); above = s.graph().dominator(above)) {
    const ir::Terminator& end = f.blocks[above].terminator;
    const ValueId condition = s.blocks[above.index].condition;
    if (end.kind != ir::TerminatorKind::Branch || !condition.valid() || !values.diverges(condition)) continue;
    // Where the sides have met again, the way past them leads through both.
    const auto through = [&](ir::BlockId side) {
      return s.graph().predecessors(side).size() == 1 && s.graph().dominates(side, block);
    };
    const bool yes = through(end.successors[0]), no = through(end.successors[1]);
    if (yes != no && !take(condition, yes)) return;
  }
}

}  // namespace

bool is_guarded(const ValueStore& values, const Summary& s, const ir::Function& f, ir::BlockId block) {
  bool found = false;
  each_guard(values, s, f, block, [&](ValueId, bool) {
    found = true;
    return false;
  });
  return found;
}

ValueId guard_of(ValueStore& values, const Summary& s, const ir::Function& f, ir::BlockId block) {
  std::vector<ValueId> conditions;
  each_guard(values, s, f, block, [&](ValueId condition, bool holds) {
    conditions.push_back(holds ? condition : values.unary(ir::Operator::Not, condition));
    return true;
  });
  return conditions.empty() ? ValueId{} : values.conjunction(true, conditions);
}

}  // namespace ranklint
