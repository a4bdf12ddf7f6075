// How long a list is that a loop has filled: `for i in range(rank, n, size): mine.append(i)` makes one as long as the
// range. Where every round appends once to a list that was empty before, the list stands for what the loop went over,
// which says how many elements there are; what they are is not known. Where each rank appends in its turns alone, it is
// its share of that:
//
//     mine = [x for i, x in enumerate(items) if i % world == rank]
#include "analyzer/interp/dealt_out.h"
#include "analyzer/interp/function_run.h"
#include "analyzer/summary/guards.h"

namespace ranklint {

// `list = list + [x]`, what a comprehension does.
static bool adds_one(const ir::Function& f, const ir::Instruction& i) {
  if (i.kind != ir::InstructionKind::Assign || f.exprs[i.value].kind != ir::ExprKind::Binary ||
      f.exprs[i.value].op != ir::Operator::Add)
    return false;
  const std::span<const ir::ExprId> sides = ir::children(f, i.value);
  return f.exprs[sides[0]].kind == ir::ExprKind::Name && f.exprs[sides[0]].symbol == f.exprs[i.target].symbol &&
         f.exprs[sides[1]].kind == ir::ExprKind::List && ir::children(f, sides[1]).size() == 1;
}

// The block of the loop's body, and of no loop inside it, where the list grows by one, if nothing else writes the list
// there.
ir::BlockId FunctionRun::grown_once(ir::BlockId header, Symbol list) const {
  ir::BlockId grown;
  size_t count = 0;
  for (ir::BlockId b : out_.graph.loop_blocks(header)) {
    if (b != header && out_.graph.is_loop_header(b)) return {};
    for (const ir::Instruction& i : f_.blocks[b].instructions) {
      const bool writes = i.target.valid() && f_.exprs[i.target].kind == ir::ExprKind::Name &&
                          index_.name(module_, f_.exprs[i.target].symbol) == list;
      if (writes && !adds_one(f_, i)) return {};
      const ir::ExprId object = writes ? i.target : grown_list(i);
      if (!object.valid() || index_.name(module_, f_.exprs[object].symbol) != list) continue;
      if (!writes && (ir_.text(f_.exprs[i.value].symbol) == "extend" || i.argument_count != 1)) return {};
      grown = b;
      ++count;
    }
  }
  return count == 1 ? grown : ir::BlockId{};
}

// Whether there is no way round past the block.
bool FunctionRun::grows_each_round(ir::BlockId header, ir::BlockId grown) const {
  for (ir::BlockId from : out_.graph.predecessors(header))
    if (out_.graph.dominates(header, from) && !out_.graph.dominates(grown, from)) return false;
  return true;
}

void FunctionRun::count_filled_lists(ir::BlockId behind, ir::BlockId header, Environment& env) {
  const ir::Terminator& end = f_.blocks[header].terminator;
  if (end.kind != ir::TerminatorKind::Iterate || end.successors[1] != behind || end.successors[0] == behind) return;
  const bool as_many_everywhere = !values_.diverges(out_.blocks[header.index].condition);
  const uint32_t site = site_of(header, Site::Why::LoopHead).index;
  std::vector<std::pair<PlaceKey, ValueId>> filled;
  for (const auto& [place, value] : env.places()) {
    const Value& v = values_[value];
    if (v.kind != ValueKind::LoopPhi || v.a != site || place.is_attribute()) continue;
    const Value& before = values_[values_.child(value, 0)];
    const bool was_empty = before.kind == ValueKind::Tuple && before.child_count == 0;
    const ir::BlockId grown = was_empty ? grown_once(header, place.name) : ir::BlockId{};
    if (!grown.valid()) continue;
    if (!as_many_everywhere) {
      if (grows_each_round(header, grown))
        filled.emplace_back(place,
                            values_.node(ValueKind::Pure, {{evaluate(end.value, env)}}, index_.spell("list").index));
      continue;
    }
    const ValueId guard = guard_of(values_, out_, f_, grown);
    const Turns turns = guard.valid() ? turns_in(values_, guard) : Turns{};
    if (turns.rank.valid())
      filled.emplace_back(place, dealt_out(in_, evaluate(end.value, env), turns.rank, turns.size));
  }
  for (const auto& [place, list] : filled) env.set(place, list);
}

}  // namespace ranklint
