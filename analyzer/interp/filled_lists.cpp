// How long a list is that a loop has filled: `for i in range(rank, n, size): mine.append(i)` makes one as long as the
// range. Where every round appends once to a list that was empty before, the list stands for what the loop went over,
// which says how many elements there are; what they are is not known. Where each rank appends in its turns alone, it is
// its share of that:
//
//     mine = [x for i, x in enumerate(items) if i % world == rank]
//
// And where a rank picks of its share by what the elements are, how much it keeps is its own:
//
//     mine = [x for x in items[rank::world] if len(x) < longest]
#include <algorithm>
#include <array>

#include "analyzer/interp/function_run.h"
#include "analyzer/interp/rank_sharding.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/summary/guards.h"
#include "analyzer/variance/each_element.h"
#include "analyzer/variance/leads_to.h"
#include "analyzer/variance/local_source.h"
#include "analyzer/variance/terms.h"

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
  for (ir::BlockId b : out_.graph().loop_blocks(header)) {
    if (b != header && out_.graph().is_loop_header(b)) return {};
    for (const ir::Instruction& i : f_.blocks[b].instructions) {
      const bool writes = i.target.valid() && f_.exprs[i.target].kind == ir::ExprKind::Name &&
                          index_.name(module_, f_.exprs[i.target].symbol) == list;
      if (writes && !adds_one(f_, i)) return {};
      const ir::ExprId object = writes ? i.target : grown_list(i);
      if (!object.valid() || index_.name(module_, f_.exprs[object].symbol) != list) continue;
      if (!writes &&
          (in_.roles().play(ir_.text(f_.exprs[i.value].symbol), Role::AddsElements) || i.argument_count != 1))
        return {};
      grown = b;
      ++count;
    }
  }
  return count == 1 ? grown : ir::BlockId{};
}

// Whether there is no way round past the block.
bool FunctionRun::grows_each_round(ir::BlockId header, ir::BlockId grown) const {
  for (ir::BlockId from : out_.graph().predecessors(header))
    if (out_.graph().dominates(header, from) && !out_.graph().dominates(grown, from)) return false;
  return true;
}

// Whether the way to the block asks what the element is that the loop has come to, of a share of this rank's own.
bool FunctionRun::picks_of_own_share(ir::BlockId header, ir::BlockId grown) const {
  const auto is_own_element = [&](ValueId part) {
    return values_[part].kind == ValueKind::Element && !values_.variance(part).empty();
  };
  for (ir::BlockId above = grown; above != header; above = out_.graph().dominator(above)) {
    const ValueId condition = out_.blocks[above.index].condition;
    if (above != grown && condition.valid() && values_.find_part(condition, is_own_element).valid()) return true;
  }
  return false;
}

// What stands for the list that a loop over something has filled in the block. Invalid: nothing says how long it is.
ValueId FunctionRun::filled_list(ir::BlockId header, ir::BlockId grown, const PlaceKey& place, ValueId gone_over) {
  const bool each_round = grows_each_round(header, grown);
  const bool as_many_everywhere = !values_.diverges(out_.blocks[header.index].condition);
  if (each_round)
    return as_many_everywhere ? ValueId{} : values_.node(ValueKind::Pure, {{gone_over}}, index_.intern("list").index);
  const ValueId guard = as_many_everywhere ? guard_of(values_, out_, f_, grown) : ValueId{};
  const Turns turns = guard.valid() ? turns_in(values_, guard) : Turns{};
  if (turns.rank.valid()) return rank_sharding(in_, gone_over, turns.rank, turns.size);
  if (!picks_of_own_share(header, grown)) return {};
  return values_.local(kKeptOfShare, site_of(header, Site::Why::LoopHead, place).index, 0);
}

// The variable that `mine.append(x)` and its kin change. Invalid: the call is none of them.
ir::ExprId FunctionRun::grown_list(const ir::Instruction& i) const {
  if (i.kind != ir::InstructionKind::Call || f_.exprs[i.value].kind != ir::ExprKind::Attribute) return {};
  if (!in_.roles().play(ir_.text(f_.exprs[i.value].symbol), Role::AddsElement)) return {};
  const ir::ExprId object = ir::children(f_, i.value)[0];
  return f_.exprs[object].kind == ir::ExprKind::Name ? object : ir::ExprId{};
}

// What a loop's variables stand for in a round: an element, or its parts. Invalid: it is given to something else.
ValueId FunctionRun::standing_for(ir::BlockId header, ir::ExprId target) {
  if (!target.valid()) return {};
  if (f_.exprs[target].kind == ir::ExprKind::Name)
    return after_[header.index].get(Environment::key(index_.name(module_, f_.exprs[target].symbol)));
  if (f_.exprs[target].kind != ir::ExprKind::Tuple) return {};
  std::vector<ValueId> parts;
  for (const ir::ExprId part : ir::children(f_, target)) {
    parts.push_back(standing_for(header, part));
    if (!parts.back().valid()) return {};
  }
  return values_.node(ValueKind::Tuple, parts);
}

// Whether each round reaches the block but where a condition on which ranks disagree keeps it away.
bool FunctionRun::is_kept_by_ranks_alone(ir::BlockId header, ir::BlockId block) const {
  return std::ranges::all_of(out_.graph().loop_blocks(header), [&](ir::BlockId b) {
    const ir::Terminator& end = f_.blocks[b].terminator;
    if (b == header || end.kind == ir::TerminatorKind::Jump) return true;
    if (end.kind != ir::TerminatorKind::Branch || !out_.graph().dominates(b, block)) return false;
    const ValueId condition = out_.blocks[b.index].condition;
    return condition.valid() && values_.diverges(condition) &&
           std::ranges::count_if(end.successors, [&](ir::BlockId side) {
             return side.valid() && out_.graph().predecessors(side).size() == 1 && out_.graph().dominates(side, block);
           }) == 1;
  });
}

// The only condition that a round asks, as it holds on the way to the block. Invalid: there are others, or it is not
// known.
ValueId FunctionRun::only_question(ir::BlockId header, ir::BlockId block) {
  ValueId found;
  for (const ir::BlockId b : out_.graph().loop_blocks(header)) {
    const ir::Terminator& end = f_.blocks[b].terminator;
    if (b == header || end.kind == ir::TerminatorKind::Jump) continue;
    const ValueId condition = out_.blocks[b.index].condition;
    if (end.kind != ir::TerminatorKind::Branch || found.valid() || !condition.valid()) return {};
    const auto leads = [&](size_t side) {
      return out_.graph().predecessors(end.successors[side]).size() == 1 &&
             out_.graph().dominates(end.successors[side], block);
    };
    if (leads(0) == leads(1)) return {};
    found = leads(0) ? condition : values_.negate(condition);
  }
  return found;
}

// Whether it is computed of the element, of numbers and of how many ranks there are: a world says what it is.
bool FunctionRun::is_of_numbers(ValueId v, ValueId element) const {
  const auto is_another = [&](ValueId part, std::vector<ValueId>& next) {
    if (part == element) return false;
    switch (values_[part].kind) {
      case ValueKind::None:
      case ValueKind::Integer:
      case ValueKind::Bool:
      case ValueKind::Size: return false;
      case ValueKind::Unary:
      case ValueKind::Binary:
      case ValueKind::And:
      case ValueKind::Or: add_parts(next, values_.children(part)); return false;
      default: return true;
    }
  };
  return !leads_to(v, is_another);
}

// Whether it compares something with a variable of the function around: `r == rank for r in leads`. What the variable
// holds is known where that function asks.
bool FunctionRun::compares_captured(ValueId v) const {
  const Value& value = values_[v];
  if (f_.kind != ir::FunctionKind::Comprehension || value.kind != ValueKind::Binary) return false;
  const bool compares = ir::is_order(value.op) || ir::is_equality(value.op) || ir::is_membership(value.op);
  return compares && std::ranges::any_of(values_.children(v), [&](ValueId side) {
           return values_.find_part(side, [&](ValueId part) { return values_[part].kind == ValueKind::Free; }).valid();
         });
}

// What the loop gives in the block for each element that it goes over, where ranks disagree on it, or where it is a
// condition on the number of the round. Invalid: it says nothing of the kind.
ValueId FunctionRun::of_each_element(ir::BlockId header, ir::BlockId grown, ir::ExprId given, ValueId gone_over) {
  const bool each_round = grows_each_round(header, grown);
  if (!given.valid() || values_.diverges(gone_over) ||
      (values_[gone_over].closed && !is_written_out(values_, index_, gone_over) &&
       !is_range_of_ranks(values_, index_, gone_over)))
    return {};
  const ValueId element = standing_for(header, f_.blocks[header].terminator.target);
  if (!element.valid()) return {};
  const bool kept_by_ranks = !each_round && is_kept_by_ranks_alone(header, grown);
  const ValueId guard = each_round      ? values_.none()
                        : kept_by_ranks ? guard_of(values_, out_, f_, grown)
                                        : only_question(header, grown),
                value = evaluate(given, after_[grown.index]);
  if (!guard.valid()) return {};
  const bool is_test = each_round && values_[value].kind == ValueKind::Binary &&
                       (ir::is_order(values_[value].op) || ir::is_equality(values_[value].op)) &&
                       is_call_of(values_, index_, gone_over, Builtin::Range);
  const bool of_numbers = is_of_numbers(value, element) && is_of_numbers(guard, element) &&
                          is_call_of(values_, index_, gone_over, Builtin::Range) && values_[gone_over].closed;
  const bool of_captured = compares_captured(each_round ? value : guard);
  if (!each_round && !kept_by_ranks && !of_numbers && !of_captured) return {};
  if (of_numbers && each_round && value == element)
    return values_.node(ValueKind::Pure, {{gone_over}}, index_.intern(name_of(Builtin::List)).index);
  if (!is_test && !of_numbers && !of_captured && !values_.diverges(guard) && !values_.diverges(value)) return {};
  return derive(values_, index_, Derived::OfEach, std::array{gone_over, element, value, guard});
}

// A list that was made of what there is for each element, or a set that was written out.
bool FunctionRun::is_made_of_elements(ValueId v) const {
  return derived_of(values_, index_, v) == Derived::OfEach ||
         (values_[v].child_count > 1 && values_.is_result_of(v, ValueStore::Trait::KeepsElements));
}

// What is put into the list in the block, in one place.
ir::ExprId FunctionRun::put_into(ir::BlockId grown, Symbol list) const {
  for (const ir::Instruction& i : f_.blocks[grown].instructions) {
    if (adds_one(f_, i) && index_.name(module_, f_.exprs[i.target].symbol) == list)
      return ir::children(f_, ir::children(f_, i.value)[1])[0];
    if (const ir::ExprId object = grown_list(i);
        object.valid() && index_.name(module_, f_.exprs[object].symbol) == list)
      return ir::arguments(f_, i)[0].value;
  }
  return {};
}

// What is left of a list that a loop has filled up to a number on which ranks have agreed: it is as long everywhere. Of
// a number that is computed here it is known that some lists may be longer.
//
//     while len(mine) < longest: mine.append(None)
void FunctionRun::forget_lists_filled_up(ir::BlockId after, ir::BlockId header, Environment& env) {
  const ir::Terminator& end = f_.blocks[header].terminator;
  const ValueId more = out_.blocks[header.index].condition;
  if (end.kind != ir::TerminatorKind::Branch || !end.is_loop || end.successors[1] != after || !more.valid() ||
      values_[more].kind != ValueKind::Binary)
    return;
  const ir::Operator op = values_[more].op;
  const bool is_swapped = op == ir::Operator::Greater;
  if (op != ir::Operator::Less && op != ir::Operator::NotEqual && !is_swapped) return;
  const ValueId length = values_.child(more, is_swapped ? 1 : 0), wanted = values_.child(more, is_swapped ? 0 : 1);
  const auto is_computed = [&](ValueId part) {
    return values_[part].kind == ValueKind::Binary || values_[part].kind == ValueKind::Size ||
           values_.is_constant(part) || values_.is_result_of(part, ValueStore::Trait::CountsElements);
  };
  if (values_.diverges(wanted) || values_.find_part(wanted, is_computed).valid() ||
      !values_.is_result_of(length, ValueStore::Trait::CountsElements))
    return;
  std::vector<PlaceKey> filled;
  for (const auto& [place, list] : env.places())
    if (!place.is_attribute() && list == values_.child(length, 0) && grown_once(header, place.name).valid())
      filled.push_back(place);
  for (const PlaceKey& place : filled) env.set(place, opaque());
}

void FunctionRun::count_filled_lists(ir::BlockId after, ir::BlockId header, Environment& env) {
  const ir::Terminator& end = f_.blocks[header].terminator;
  if (end.kind != ir::TerminatorKind::Iterate || end.successors[1] != after || end.successors[0] == after) return;
  const uint32_t site = site_of(header, Site::Why::LoopHead).index;
  std::vector<std::pair<PlaceKey, ValueId>> filled;
  for (const auto& [place, value] : env.places()) {
    const Value& v = values_[value];
    if (v.kind != ValueKind::LoopPhi || v.a != site || place.is_attribute()) continue;
    const bool was_empty = is_empty_list(values_, values_.child(value, 0));
    const ir::BlockId grown = was_empty ? grown_once(header, place.name) : ir::BlockId{};
    if (!grown.valid()) continue;
    const ValueId gone_over = evaluate(end.value, env);
    ValueId list = filled_list(header, grown, place, gone_over);
    if (!list.valid()) list = of_each_element(header, grown, put_into(grown, place.name), gone_over);
    if (list.valid()) filled.emplace_back(place, list);
  }
  for (const auto& [place, list] : filled) env.set(place, list);
}

}  // namespace ranklint
