// Types that a call implies for what it takes, or gives back in parts.
//
//     engine, optimizer, _, _ = deepspeed.initialize(model=model)    # the first part is an engine
//     with FSDP.state_dict_type(model, FULL_STATE_DICT):             # in any case the model is wrapped
//         state = model.state_dict()
//     loss = criterion(wrapped(x), y)
//     loss.backward()                                                # of what a wrapped model computed
#include <algorithm>

#include "analyzer/interp/function_run.h"
#include "analyzer/program/given_for.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/given.h"
#include "analyzer/summary/wrapped_model.h"

namespace ranklint {

// The type of what a wrapped model computed, by its model's word.
constexpr std::string_view kOutputOfWrapped = "OutputOfWrapped";
constexpr std::string_view kBackward = "backward";

// Part `position` of what a call gave back. A model says what it is under the name of the whole:
// `deepspeed.initialize.0`.
ValueId FunctionRun::part_of(ValueId whole, uint32_t position) {
  const ValueId part = values_.subscript(whole, values_.integer(position));
  const Symbol type = values_.external_type_of(whole);
  if (!type.valid() || values_[part].kind != ValueKind::Subscript) return part;
  const Model* model = in_.models_.find(std::string(index_.names().text(type)) + "." + std::to_string(position));
  return model && model->kind == ModelKind::Class
             ? values_.with_type(part, ValueStore::type_of_external(index_.intern(model->instance)))
             : part;
}

// FSDP.state_dict_type(model, ...): `model` holds one from here on.
void FunctionRun::note_stated_type(const ir::Instruction& i, const Call& call, Environment& env) {
  const Value& callee = values_[call.callee];
  const RoleEntry* states = callee.kind == ValueKind::External
                                ? in_.roles().find(index_.names().text(Symbol{callee.a}), Role::TellsType)
                                : nullptr;
  const ir::ExprId given =
      states ? given_for(f_, ir_, i, states->argument.position, states->argument.keyword) : ir::ExprId{};
  if (!given.valid() || f_.exprs[given].kind != ir::ExprKind::Name) return;
  const ValueId model = evaluate(given, env);
  if (values_.of_unknown_origin(model) && !values_[model].type)
    env.set(Environment::key(index_.name(module_, f_.exprs[given].symbol)),
            values_.with_type(model, ValueStore::type_of_external(index_.intern(states->note))));
}

// Whether a wrapped model computed it, or it was computed of that: `out["loss"] / steps`. It looks at most `steps`
// steps back.
bool FunctionRun::is_output_of_wrapped(ValueId v, int steps) const {
  const Value& value = values_[v];
  if (const Symbol type = values_.external_type_of(v); type.valid())
    return index_.names().text(type) == kOutputOfWrapped;
  if (steps == 0) return false;
  const auto is_output = [&](ValueId child) { return is_output_of_wrapped(child, steps - 1); };
  switch (value.kind) {
    case ValueKind::Attribute:
    case ValueKind::Subscript: return is_output(values_.child(v, 0));
    case ValueKind::Unary:
    case ValueKind::Binary: return std::ranges::any_of(values_.children(v), is_output);
    case ValueKind::Conditional: return is_output(values_.child(v, 1)) || is_output(values_.child(v, 2));
    default: return false;
  }
}

// What a call gives of which nothing else is known: something of this rank's batch or of what a wrapped model computed,
// if it was given such.
ValueId FunctionRun::made_of_arguments(const Call& call) {
  const auto is_output = [&](ValueId v) { return is_output_of_wrapped(v); };
  // `wrapped(x).mean()`, also where the model is wrapped under a condition alone.
  const bool of_output = gives(call, is_output) || std::ranges::any_of(values_.leaves_of(call.callee), [&](ValueId v) {
                           return values_[v].kind == ValueKind::Attribute && is_output(values_.child(v, 0));
                         });
  return values_.with_type(made_of_unknown(call, opaque()),
                           of_output ? ValueStore::type_of_external(index_.intern(kOutputOfWrapped)) : 0);
}

// The wrapped model that a call is given, which runs further down then: `terms = losses(wrapped, batch)`. Invalid:
// none.
ValueId FunctionRun::wrapped_given(const Call& call) const {
  const auto runs = [&](ValueId v) { return is_wrapped_model(in_, v); };
  ValueId found;
  gives(call, [&](ValueId given) {
    if (!given.valid()) return false;
    const std::vector<ValueId> ends = values_.leaves_of(given);
    const auto model = std::ranges::find_if(ends, runs);
    if (model != ends.end()) found = *model;
    return found.valid();
  });
  return found;
}

// A callee ran a model that callers hand it wrapped: noted if it is wrapped here, too.
void FunctionRun::note_wrapped_run(ValueId model) {
  if (is_wrapped_model(in_, model)) out_.ran_wrapped = model;
}

// What a function of the project gives that was given a wrapped model: of its dictionary of losses no more is known
// than that it was made of what the function was given. Invalid: more is known.
ValueId FunctionRun::made_with_wrapped(const Call& call, ValueId result) {
  const Value& made = values_[result];
  const bool is_undecided = made.kind == ValueKind::Conditional || (made.kind == ValueKind::Tuple && !made.of_batch);
  if (!is_undecided || values_.diverges(result) || !wrapped_given(call).valid()) return {};
  return made_of_batch(call);
}

// `loss.backward()` of what a wrapped model computed: the gradients are reduced on the way.
const Model* FunctionRun::backward_of_wrapped(const Call& call) const {
  const Value& callee = values_[call.callee];
  if (callee.kind != ValueKind::Attribute || index_.names().text(Symbol{callee.a}) != kBackward) return nullptr;
  const ValueId loss = values_.child(call.callee, 0);
  const bool of_wrapped = (out_.ran_wrapped.valid() && values_[loss].of_batch) || is_output_of_wrapped(loss);
  return of_wrapped ? in_.models_.find(std::string(kOutputOfWrapped) + "." + std::string(kBackward)) : nullptr;
}

}  // namespace ranklint
