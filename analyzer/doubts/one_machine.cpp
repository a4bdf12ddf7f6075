#include "analyzer/doubts/one_machine.h"

#include <algorithm>

#include "analyzer/variance/terms.h"

namespace ranklint {

// `os.environ.get("WORLD_SIZE", 1)`, by the text of the call that gave it.
static bool is_asked_for_ranks(const Query& in, ValueId part) {
  const Site* site = in.made_at(part);
  if (!site || in.values()[part].kind != ValueKind::Opaque) return false;
  const ir::Instruction* call = in.call_at(*site);
  if (!call) return false;
  const ir::Function& f = in.index().function(site->function);
  const ir::Module& text = in.index().modules()[in.index().functions()[site->function].module];
  return std::ranges::any_of(ir::arguments(f, *call), [&](const ir::Argument& a) {
    return f.exprs[a.value].kind == ir::ExprKind::String &&
           in.priors().suggest(text.text(f.exprs[a.value].symbol), NameMeaning::WorldSize);
  });
}

bool counts_ranks(const Query& in, ValueId v) {
  const ValueStore& values = in.values();
  const ValueKind kind = values[v].kind;
  if (kind == ValueKind::Size || kind == ValueKind::SizeIn ||
      in.roles().play(function_of(values, in.index(), v), Role::CountsRanks) ||
      in.priors().suggest(in.variable_of(v), NameMeaning::WorldSize))
    return true;
  const auto is_variable = [&](ValueId part) {
    return values[part].kind == ValueKind::Text &&
           in.priors().suggest(in.index().names().text(Symbol{values[part].a}), NameMeaning::WorldSize);
  };
  const auto is_size = [&](ValueId part) { return values[part].kind == ValueKind::Size; };
  return values
      .find_part(v, [&](ValueId part) { return is_size(part) || is_variable(part) || is_asked_for_ranks(in, part); })
      .valid();
}

// Whether there are no more ranks than this machine has devices where the condition holds, or where it does not:
// `world_size <= torch.cuda.device_count()`.
static bool keeps_to_devices(const Query& in, ValueId condition, bool holds) {
  const ValueStore& values = in.values();
  const Value& asked = values[condition];
  if (asked.kind == ValueKind::Unary && asked.op == ir::Operator::Not)
    return keeps_to_devices(in, values.child(condition, 0), !holds);
  if (asked.kind == (holds ? ValueKind::And : ValueKind::Or))
    return std::ranges::any_of(values.children(condition),
                               [&](ValueId part) { return keeps_to_devices(in, part, holds); });
  if (asked.kind != ValueKind::Binary) return false;
  const ValueId left = values.child(condition, 0), right = values.child(condition, 1);
  const auto counts_devices = [&](ValueId v) {
    return in.roles().play(function_of(values, in.index(), v), Role::CountsDevices);
  };
  const bool ranks_first = counts_ranks(in, left) && counts_devices(right);
  const bool devices_first = counts_devices(left) && counts_ranks(in, right);
  if (!ranks_first && !devices_first) return false;
  using enum ir::Operator;
  switch (asked.op) {
    case Equal: return holds;
    case NotEqual: return !holds;
    case Less:
    case LessEqual: return holds == ranks_first;
    case Greater:
    case GreaterEqual: return holds == devices_first;
    default: return false;
  }
}

bool holds_ranks_to_devices(const Query& in, FunctionKey function) {
  const Summary* s = in.summary(function);
  if (!s) return false;
  const auto& blocks = in.index().function(function).blocks;
  return std::ranges::any_of(s->graph().order(), [&](ir::BlockId b) {
    const BlockSteps& steps = s->blocks[b.index];
    if (std::ranges::any_of(steps.asserted, [&](const auto& a) { return keeps_to_devices(in, a.second, true); }))
      return true;
    const ir::Terminator& end = blocks[b].terminator;
    if (end.kind != ir::TerminatorKind::Branch || end.is_loop || !steps.condition.valid()) return false;
    const auto gives_up = [&](ir::BlockId at) {
      return blocks[at].terminator.kind == ir::TerminatorKind::Raise ||
             std::ranges::any_of(s->blocks[at.index].steps,
                                 [](const Step& step) { return step.ending != Ending::None; });
    };
    return (gives_up(end.successors[0]) && keeps_to_devices(in, steps.condition, false)) ||
           (gives_up(end.successors[1]) && keeps_to_devices(in, steps.condition, true));
  });
}

}  // namespace ranklint
