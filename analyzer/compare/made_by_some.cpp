#include "analyzer/compare/made_by_some.h"

namespace ranklint {

bool is_made_by_some(Interpreter& interpreter, const Summary& summary, ValueId group) {
  const ValueStore& values = interpreter.values();
  while (group.valid() && (values[group].kind == ValueKind::Subscript || values[group].kind == ValueKind::Attribute))
    group = values.child(group, 0);
  if (!group.valid() || values[group].kind != ValueKind::Opaque) return false;
  const Site& made = interpreter.site(SiteId{values[group].a});
  if (made.function != summary.function) return false;
  const FlowGraph& graph = summary.graph;
  for (ir::BlockId d = graph.dominator(made.block); d.valid(); d = graph.dominator(d)) {
    const ValueId condition = summary.blocks[d.index].condition;
    if (!condition.valid() || !values.diverges(condition)) continue;
    const ir::BlockId join = graph.join(d);
    if (!join.valid() || !graph.dominates(join, made.block)) return true;
  }
  return false;
}

}  // namespace ranklint
