#include "analyzer/questions/rank_guard.h"

#include "analyzer/flow/deciding_branch.h"

namespace ranklint {

ir::BlockId rank_guard_of(const Query& query, const Summary& summary, ir::BlockId block) {
  return deciding_branch(summary.graph, block, [&](ir::BlockId above) {
    const ValueId condition = summary.blocks[above.index].condition;
    return condition.valid() && !query.values().variance(condition).empty();
  });
}

ir::BlockId diverging_guard_of(const ValueStore& values, const Summary& summary, ir::BlockId block) {
  return deciding_branch(summary.graph, block, [&](ir::BlockId above) {
    const ValueId condition = summary.blocks[above.index].condition;
    return condition.valid() && values.diverges(condition);
  });
}

}  // namespace ranklint
