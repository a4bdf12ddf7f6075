#include "analyzer/questions/kinds.h"

#include "analyzer/flow/side_of_branch.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

bool asks_for_own_kind(const Query& query, ValueId asked, ValueId object) {
  const ValueStore& values = query.values();
  const SymbolTable& names = query.index().names();
  const Symbol type = object.valid() ? values.external_type_of(object) : Symbol{};
  if (!type.valid() || !values.is_result_of(asked, ValueStore::Trait::AsksKind) || values[asked].child_count != 2 ||
      values.child(asked, 0) != object)
    return false;
  return is_among_kinds(values, names, type, values.child(asked, 1));
}

bool is_denied_own_kind(const Query& query, const Summary& summary, ir::BlockId block, ValueId object) {
  const ValueStore& values = query.values();
  const FlowGraph& graph = summary.graph();
  const ir::Function& f = query.index().function(summary.function);
  for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above)) {
    ValueId asked = summary.blocks[above.index].condition;
    const std::optional<bool> side = side_of_branch(graph, f, above, block);
    if (!side || !asked.valid()) continue;
    const bool is_negated = values[asked].kind == ValueKind::Unary && values[asked].op == ir::Operator::Not;
    if (is_negated) asked = values.child(asked, 0);
    if (*side == is_negated && asks_for_own_kind(query, asked, object)) return true;
  }
  return false;
}

}  // namespace ranklint
