// Types that a call tells of something that it takes or gives back in parts.
//
//     engine, optimizer, _, _ = deepspeed.initialize(model=model)    # the first part is an engine
//     with FSDP.state_dict_type(model, FULL_STATE_DICT):             # whatever model is, it is wrapped
//         state = model.state_dict()
#include "analyzer/base/among.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/function_run.h"

namespace ranklint {

// Part `position` of what a call gave back. A model says what it is under the name of the whole: `deepspeed.initialize.0`.
ValueId FunctionRun::part_of(ValueId whole, uint32_t position) {
  const ValueId part = values_.subscript(whole, values_.integer(position));
  const Symbol type = values_.external_type_of(whole);
  if (!type.valid() || values_[part].kind != ValueKind::Subscript) return part;
  const Model* model = in_.models_.find(std::string(index_.names().text(type)) + "." + std::to_string(position));
  return model && model->kind == ModelKind::Class ? values_.with_type(part, ValueStore::type_of_external(index_.spell(model->instance))) : part;
}

// FSDP.state_dict_type(model, ...): `model` holds one from here on.
void FunctionRun::note_told_type(const ir::Instruction& i, const Call& call, Environment& env) {
  constexpr std::string_view kTelling[] = {"state_dict_type", "set_state_dict_type", "summon_full_params", "full_optim_state_dict", "optim_state_dict"};
  constexpr std::string_view kWrapper = "FullyShardedDataParallel";
  const Value& callee = values_[call.callee];
  if (callee.kind != ValueKind::External) return;
  const std::string_view name = index_.names().text(Symbol{callee.a});
  const std::string_view method = last_part(name);
  if (!among(method, kTelling) || !name.substr(0, name.size() - method.size() - 1).ends_with(kWrapper)) return;
  for (const ir::Argument& a : ir::arguments(f_, i)) {
    const bool first = a.kind == ir::ArgumentKind::Positional || (a.kind == ir::ArgumentKind::Keyword && ir_.text(a.keyword) == "module");
    if (!first || f_.exprs[a.value].kind != ir::ExprKind::Name) return;
    const ValueId model = evaluate(a.value, env);
    if (values_.of_unknown_origin(model) && !values_[model].type)
      env.set(Environment::key(index_.name(module_, f_.exprs[a.value].symbol)), values_.with_type(model, ValueStore::type_of_external(index_.spell(kWrapper))));
    return;
  }
}

// `loss.backward()` where a wrapped model was run before it: the gradients are reduced on the way.
const Model* FunctionRun::backward_of_wrapped(const Call& call) const {
  const Value& callee = values_[call.callee];
  if (!ran_wrapped_ || callee.kind != ValueKind::Attribute || index_.names().text(Symbol{callee.a}) != "backward") return nullptr;
  return values_[values_.child(call.callee, 0)].of_batch ? in_.models_.find("torch.nn.parallel.DistributedDataParallel.backward") : nullptr;
}

}  // namespace ranklint
