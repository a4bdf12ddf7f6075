// What a generator yields, seen by its caller. One that yields each element of an iterable stands for that iterable:
//
//     def log_every(self, iterable, freq):
//         for i, x in enumerate(iterable):
//             yield x
//
// One that skips elements or starts again yields elements of the same kind, in unknown number. One with a single
// `yield` in a single loop yields as many as a list that this loop fills would have (filled_lists.cpp).
#include <algorithm>

#include "analyzer/interp/function_run.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

// The only `yield` of the function. An invalid block: there are several, or one hands on another generator.
FunctionRun::Yield FunctionRun::only_yield() const {
  Yield only;
  for (const ir::BlockId b : out_.graph().order())
    for (const ir::Instruction& i : f_.blocks[b].instructions) {
      if (i.kind != ir::InstructionKind::Yield && i.kind != ir::InstructionKind::YieldFrom) continue;
      if (only.block.valid() || i.kind == ir::InstructionKind::YieldFrom) return {};
      only = {b, i.value};
    }
  return only;
}

// Whether the function consists of that loop: no other loop, no way out of it but its end, no way around it.
bool FunctionRun::is_one_loop(ir::BlockId header) const {
  const std::span<const ir::BlockId> body = out_.graph().loop_blocks(header);
  const auto is_inside = [&](ir::BlockId b) { return std::ranges::find(body, b) != body.end(); };
  return std::ranges::all_of(out_.graph().order(), [&](ir::BlockId b) {
    if (out_.graph().is_loop_header(b) && b != header) return false;
    if (f_.blocks[b].terminator.kind == ir::TerminatorKind::Return) return out_.graph().dominates(header, b);
    return b == header || !is_inside(b) || std::ranges::all_of(FlowGraph::successors(f_.blocks[b]), is_inside);
  });
}

// Of what a loop goes over, the part that has the value for its element. Invalid: none.
ValueId FunctionRun::iterable_yielding(ValueId gone_over, ValueId element, ValueId value) const {
  if (element == value) return gone_over;
  const std::string_view function = function_of(values_, index_, gone_over);
  const bool counts = is_builtin(function, Builtin::Enumerate);
  if ((!counts && !is_builtin(function, Builtin::Zip)) || values_[element].kind != ValueKind::Tuple) return {};
  const size_t first = counts ? 1 : 0;
  for (size_t i = first; i < values_[element].child_count && i - first < values_[gone_over].child_count; ++i)
    if (const ValueId part = iterable_yielding(values_.child(gone_over, i - first), values_.child(element, i), value);
        part.valid())
      return part;
  return {};
}

// What the loop gives its `yield`, as a part of what it goes over or as something that is made of a batch. Invalid: it
// is neither, or not known.
ValueId FunctionRun::yielded_source(ir::BlockId header, const Yield& yield, ValueId gone_over) {
  const ValueId element = standing_for(header, f_.blocks[header].terminator.target);
  if (!element.valid() || !yield.value.valid()) return {};
  const ValueId value = evaluate(yield.value, after_[yield.block.index]);
  if (const ValueId part = iterable_yielding(gone_over, element, value); part.valid()) {
    if (is_one_loop(header) && grows_each_round(header, yield.block)) return part;
    gone_over = part;
  } else if (!values_[value].of_batch) {
    return {};
  }
  return values_.node(ValueKind::Opaque, {{gone_over}}, site_of(ir::BlockId{0}, Site::Why::Generator).index);
}

// Invalid: it hands out something else, or nothing is known of it.
ValueId FunctionRun::yielded() {
  const Yield yield = only_yield();
  const ir::BlockId header = yield.block.valid() ? out_.graph().loop_around(yield.block) : ir::BlockId{};
  if (!header.valid() || f_.blocks[header].terminator.kind != ir::TerminatorKind::Iterate) return {};
  const ValueId more = out_.blocks[header.index].condition;
  if (!more.valid() || values_[more].child_count == 0) return {};
  const ValueId counted = values_.child(more, 0);
  if (is_one_loop(header)) {
    const PlaceKey place = Environment::key(index_.name(module_, f_.name));
    ValueId share = filled_list(header, yield.block, place, counted);
    if (!share.valid()) share = of_each_element(header, yield.block, yield.value, counted);
    if (share.valid()) return share;
  }
  // A list that other code may have changed is not what it was (another_round).
  const ValueId gone_over = evaluate(f_.blocks[header].terminator.value, before_[header.index]);
  return rounds_of(gone_over) == counted ? yielded_source(header, yield, gone_over) : ValueId{};
}

// The batch that a round over what a generator hands out brings. Invalid: it brings none.
ValueId FunctionRun::yielded_batch(ValueId iterable, SiteId site, std::map<ValueId, ValueId>& known) {
  const Value& value = values_[iterable];
  if (value.kind != ValueKind::Opaque || value.child_count != 1) return {};
  const Site* const made = in_.made_at(iterable);
  if (!made || made->why != Site::Why::Generator) return {};
  const ValueId element = element_of(values_.child(iterable, 0), site, known);
  return values_[element].of_batch ? element : ValueId{};
}

}  // namespace ranklint
