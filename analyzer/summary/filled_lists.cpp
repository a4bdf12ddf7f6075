// How long a list is that a loop has filled: `for i in range(rank, n, size): mine.append(i)` makes one as long as the range.
// Where every round appends once to a list that was empty before, the list stands for what the loop went over, which says how
// many elements there are; what they are is not known.
#include "analyzer/summary/function_run.h"

namespace ranklint {

// Whether the loop's body, and no loop inside it, appends to the list once on every way round, and nothing else writes it.
bool FunctionRun::grows_each_round(ir::BlockId header, Symbol list) const {
  ir::BlockId grown;
  size_t count = 0;
  const std::span<const ir::BlockId> loop = out_.graph.loop_blocks(header);
  for (ir::BlockId b : loop) {
    if (b != header && out_.graph.is_loop_header(b)) return false;
    for (const ir::Instruction& i : f_.blocks[b].instructions) {
      const ir::ExprId object = grown_list(i);
      if (i.target.valid() && f_.exprs[i.target].kind == ir::ExprKind::Name && index_.name(module_, f_.exprs[i.target].symbol) == list) return false;
      if (!object.valid() || index_.name(module_, f_.exprs[object].symbol) != list) continue;
      if (ir_.text(f_.exprs[i.value].symbol) == "extend" || i.argument_count != 1) return false;
      grown = b;
      ++count;
    }
  }
  if (count != 1) return false;
  for (ir::BlockId from : out_.graph.predecessors(header))
    if (out_.graph.dominates(header, from) && !out_.graph.dominates(grown, from)) return false;
  return true;
}

void FunctionRun::count_filled_lists(ir::BlockId behind, ir::BlockId header, Environment& env) {
  const ir::Terminator& end = f_.blocks[header].terminator;
  if (end.kind != ir::TerminatorKind::Iterate || end.successors[1] != behind || end.successors[0] == behind) return;
  if (!values_.diverges(out_.blocks[header.index].condition)) return;
  const ValueId over = evaluate(end.value, env);
  const uint32_t site = in_.intern_site({key_, header, 0, 4000000}).index;
  std::vector<uint64_t> filled;
  for (const auto& [place, value] : env.places()) {
    const Value& v = values_[value];
    if (v.kind != ValueKind::LoopPhi || v.a != site || place >> 32 != 0) continue;
    const Value& before = values_[values_.child(value, 0)];
    const bool was_empty = before.kind == ValueKind::Tuple && before.child_count == 0;
    if (was_empty && grows_each_round(header, Symbol{static_cast<uint32_t>(place)})) filled.push_back(place);
  }
  for (const uint64_t place : filled) env.set(place, values_.node(ValueKind::Pure, {{over}}, index_.spell("list").index));
}

}  // namespace ranklint
