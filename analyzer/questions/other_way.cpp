#include "analyzer/questions/other_way.h"

#include <algorithm>

#include "analyzer/flow/deciding_branch.h"

namespace ranklint {

bool has_on_another_way(const Query& query, const Summary& summary, ir::BlockId block, std::string_view op) {
  const FlowGraph& graph = summary.graph();
  const auto communicates = [&](const Step& step) {
    return step.event ? step.event->model->op == op
                      : step.call.callee.valid() && query.may_communicate(step.call.callee);
  };
  const auto is_elsewhere = [&](ir::BlockId b) { return !graph.dominates(b, block) && !graph.dominates(block, b); };
  const auto parts_from_it = [&](ir::BlockId branch) {
    return std::ranges::any_of(graph.order(), [&](ir::BlockId b) {
      return is_elsewhere(b) && graph.dominates(branch, b) && decides(graph, branch, b) &&
             std::ranges::any_of(summary.blocks[b.index].steps, communicates);
    });
  };
  return deciding_branch(graph, block, parts_from_it).valid();
}

}  // namespace ranklint
