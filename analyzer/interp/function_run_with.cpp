// `with`: what is entered and left, and what runs then.
#include <algorithm>
#include <vector>

#include "analyzer/interp/function_run.h"

namespace ranklint {

// What `with` binds of a context that stands for nothing: `profile() if rank == 0 else nullcontext()` gives the other
// ranks None.
ValueId FunctionRun::bound_of(ValueId context) {
  if (values_.is_small_choice(context)) {
    const ValueId yes = bound_of(values_.child(context, 1)), no = bound_of(values_.child(context, 2));
    return values_.conditional(values_.child(context, 0), yes, no);
  }
  return is_null_context(context) ? values_.none() : context;
}

// Whether it was made by `contextlib.nullcontext()`, which hands nothing on.
bool FunctionRun::is_null_context(ValueId context) const {
  const Value value = values_[context];
  const Site* made = in_.made_at(context);
  if (!made || value.kind != ValueKind::Opaque || value.b) return false;
  const ir::Instruction* call = in_.call_at(*made);
  const ir::Function& code = index_.function(made->function);
  return call && ir::arguments(code, *call).empty() &&
         in_.roles().play(index_.dotted(index_.functions()[made->function].module, code, call->value),
                          Role::DoesNothing);
}

void FunctionRun::enter_with(const ir::Instruction& i, Environment& env) {
  const ValueId context = evaluate(i.value, env);
  ValueId bound = i.target.valid() ? bound_of(context) : context;
  const Value value = values_[context];
  if (value.kind == ValueKind::Partial && value.child_count &&
      values_[values_.child(context, 0)].kind == ValueKind::Text) {
    // A generator-based context manager that was called: run it up to its yield.
    Step& step = add_step(i.range);
    entered_[context.index] = step.site;
    step.call.callee = values_.child(context, 1);
    step.call.part = Call::Part::UntilYield;
    step.call.implicit = true;
    for (ValueId argument : values_.children(context).subspan(2)) step.call.positional.push_back(argument);
    bound = opaque();
  } else if (const ClassKey c = values_.class_of(context); c.valid()) {
    if (const FunctionKey enter = index_.find_method(c, index_.intern("__enter__")); enter.valid()) {
      Call call;
      call.callee = values_.node(ValueKind::Bound, {{context}}, enter.index);
      call.implicit = true;
      if (ValueId v = apply(call, env, i.range, nullptr); v.valid() && values_[v].kind != ValueKind::Opaque) bound = v;
    }
  }
  if (i.target.valid()) assign(i.target, bound, env);
}

// The arguments of `__exit__`: the exception's type, itself and its traceback, or three times None.
std::vector<ValueId> FunctionRun::exit_arguments(const ir::Instruction& exit) {
  return std::vector<ValueId>(3, exit.unwinds ? values_.leaf(ValueKind::Caught, here().index) : values_.none());
}

// Whether an exception that comes to the generator's `yield` leaves it at once: no `try` stands around.
bool FunctionRun::ends_at_yield(ValueId generator) const {
  const Value& value = values_[generator];
  if (value.kind != ValueKind::Function && value.kind != ValueKind::Bound) return false;
  return std::ranges::none_of(index_.function(FunctionKey{value.a}).blocks, [](const ir::Block& b) {
    return b.handler.valid() && std::ranges::any_of(b.instructions, [](const ir::Instruction& i) {
             return i.kind == ir::InstructionKind::Yield;
           });
  });
}

void FunctionRun::exit_with(const ir::Instruction& i, Environment& env) {
  const ValueId context = evaluate(i.value, env);
  const Value value = values_[context];
  if (value.kind == ValueKind::Partial && value.child_count &&
      values_[values_.child(context, 0)].kind == ValueKind::Text) {
    if (i.unwinds && ends_at_yield(values_.child(context, 1))) return;
    Step& step = add_step(i.range);
    // What the body learned up to its yield holds after it.
    if (auto entered = entered_.find(context.index); entered != entered_.end()) step.site = entered->second;
    step.call.callee = values_.child(context, 1);
    step.call.part = Call::Part::AfterYield;
    step.call.implicit = true;
    for (ValueId argument : values_.children(context).subspan(2)) step.call.positional.push_back(argument);
  } else if (const ClassKey c = values_.class_of(context); c.valid()) {
    if (const FunctionKey exit = index_.find_method(c, index_.intern("__exit__")); exit.valid()) {
      Call call;
      call.callee = values_.node(ValueKind::Bound, {{context}}, exit.index);
      call.implicit = true;
      call.positional = exit_arguments(i);
      apply(call, env, i.range, nullptr);
    }
  }
}

}  // namespace ranklint
