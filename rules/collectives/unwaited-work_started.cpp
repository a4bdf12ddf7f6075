// What gives a handle: an operation that is started, and a function of the project that starts one and returns it.
#include <algorithm>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/communication.h"
#include "analyzer/summary/is_call.h"
#include "rules/collectives/unwaited-work.h"

namespace ranklint::unwaited_work {

static ValueId group_of_message(const Query& in, const Step& transfer) {
  const ValueId given = in.argument(transfer.call, transfer.transfer->group.argument);
  if (given.valid() && in.values()[given].kind != ValueKind::None) return given;
  return in.values().group(AxisSet{.world = true, .axes = {}});
}

std::optional<Started> started_operation(const Query& in, const FunctionCode& code, const Step& step,
                                         ir::BlockId block) {
  if (!step.event && !step.transfer) return std::nullopt;
  const Model& model = step.event ? *step.event->model : *step.transfer;
  const bool may_be_passed = model.kind == ModelKind::Collective && model.async.present();
  const ValueId flag = may_be_passed ? in.argument(step.call, model.async) : ValueId{};
  const bool is_flag = flag.valid() && in.values()[flag].kind == ValueKind::Bool;
  const ProgramPoint at{block, in.site(step.site).instruction};
  const auto& instructions = code.ir.blocks[block].instructions;
  if (at.instruction >= instructions.size()) return std::nullopt;
  const bool surely = (is_flag && in.values()[flag].a) || in.roles().play(model.name, Role::GivesHandle) ||
                      plays(in, code, instructions[at.instruction], Role::GivesHandle);
  if (!surely && (is_flag || !flag.valid())) return std::nullopt;
  Started started;
  started.model = &model;
  started.range = step.range;
  started.at = at;
  started.surely = surely;
  started.group = step.event ? step.event->group : group_of_message(in, step);
  started.named = group_name(in, {&model, started.group, model_certainty(model, {}), {}});
  return started;
}

std::optional<Started> ReturnedHandles::started_by(const FunctionCode& code, const Step& step, ir::BlockId block) {
  if (!is_call(step)) {
    std::optional<Started> started = started_operation(in_, code, step, block);
    return started && started->surely ? started : std::nullopt;
  }
  const std::vector<Target> targets = in_.targets(step.call.callee);
  if (targets.empty() || step.call.implicit) return std::nullopt;
  std::optional<Started> first;
  for (const Target& target : targets) {
    const std::optional<Returned>& returned = returned_by(target.function);
    if (!returned || target.guard.valid() || (first && first->path != returned->started.path)) return std::nullopt;
    if (first) {
      first->surely = first->surely && returned->started.surely;
      continue;
    }
    first = returned->started;
    first->callee = returned->function;
    first->started = returned->started.range;
  }
  first->group = {};
  first->range = step.range;
  first->at = {block, in_.site(step.site).instruction};
  return first;
}

const std::optional<ReturnedHandles::Returned>& ReturnedHandles::returned_by(FunctionKey f) {
  const auto [known, is_new] = known_.try_emplace(f);
  if (is_new) {
    std::optional<Returned> found = find(f);
    return known_[f] = std::move(found);
  }
  return known->second;
}

// Where each return that gives something gives the handle, in one place, and the function does nothing else with it.
// Where another return gives nothing, it may be that nothing was started: an option of the caller decides, perhaps.
std::optional<ReturnedHandles::Returned> ReturnedHandles::find(FunctionKey f) {
  const Summary* s = in_.summary(f);
  if (!s || (!s->communicates && !s->transfers)) return std::nullopt;
  const FunctionCode code(in_.index(), *s);
  if (code.ir.is_generator || code.ir.is_async || !code.ir.decorators.empty()) return std::nullopt;
  std::optional<Returned> found;
  bool is_always_given = true;
  for (const ir::BlockId b : code.graph().order()) {
    const ir::Block& block = code.ir.blocks[b];
    const ir::Terminator& end = block.terminator;
    if (end.kind != ir::TerminatorKind::Return) continue;
    if (!end.value.valid() || code.ir.exprs[end.value].kind == ir::ExprKind::None) {
      is_always_given = false;
      continue;
    }
    const ir::Expr& value = code.ir.exprs[end.value];
    const bool is_tuple = value.kind == ir::ExprKind::Tuple;
    const auto parts = is_tuple ? ir::children(code.ir, end.value) : std::span(&end.value, 1);
    std::optional<Returned> here;
    for (size_t i = 0; i < parts.size() && !here; ++i) {
      if (code.name(parts[i]).empty()) continue;
      here = held_by_name(code, code.ir.exprs[parts[i]].symbol, {b, static_cast<uint32_t>(block.instructions.size())});
      if (here && is_tuple) here->started.path.insert(here->started.path.begin(), static_cast<int>(i));
    }
    if (!here || (found && found->started.path != here->started.path)) return std::nullopt;
    if (!found) found = std::move(here);
  }
  if (found) found->started.surely = found->started.surely && is_always_given;
  return found;
}

// What a variable holds at a place: the handle, whichever way led there.
std::optional<ReturnedHandles::Returned> ReturnedHandles::held_by_name(const FunctionCode& code, Symbol name,
                                                                       ProgramPoint at) {
  const Reaching reaching = code.reaching(name, at);
  std::optional<Returned> found;
  for (const Definition& d : reaching.definitions) {
    if (!d.direct || !d.instruction || d.instruction->kind != ir::InstructionKind::Call) return std::nullopt;
    const std::optional<Started> started = started_at(code, d.place);
    if (!started || uses_.may_wait_before_return(code.key, d.place, d.instruction->target)) return std::nullopt;
    if (found && found->started.path != started->path) return std::nullopt;
    if (found) continue;
    found = Returned{*started, started->callee.valid() ? started->callee : code.key};
    if (started->callee.valid()) found->started.range = started->started;
  }
  return found;
}

std::optional<Started> ReturnedHandles::started_at(const FunctionCode& code, ProgramPoint at) {
  const Summary& s = *in_.summary(code.key);
  const BlockSteps& steps = s.blocks[at.block.index];
  const auto find_in = [&](const auto& list) -> std::optional<Started> {
    for (const Step& step : list)
      if (in_.site(step.site).instruction == at.instruction)
        if (std::optional<Started> started = started_by(code, step, at.block)) return started;
    return std::nullopt;
  };
  std::optional<Started> started = find_in(steps.steps);
  return started ? started : find_in(steps.point_to_point);
}

}  // namespace ranklint::unwaited_work
