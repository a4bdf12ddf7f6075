// What is put into a list that an object keeps, by a method of it or from outside:
//
//     def register(self, hook):                       # class Trainer; its constructor leaves `self.hooks = []`
//         self.hooks.append(hook)
//
//     trainer = Trainer()
//     if rank == 0: trainer.register(Average(loss))
//     trainer.train()                                 # for hook in self.hooks: hook.after_step()
//
// The method's summary says that the attribute holds what it held and one element more; a call puts the argument in.
// For an object that is made in sight the list is followed from what its constructor leaves, so that a choice by rank
// of what is in there goes along with the next call of a method (Query::choices_among_members).
//
// Only what can be called is followed, or has methods that can: what else a list gathers says nothing about who
// communicates. Nothing is followed through loops, nor for an object that is one of several.
#include <algorithm>

#include "analyzer/interp/function_run.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

// Whether all that is in a list is in sight but for what the object's own held before, or a list that somebody gives.
bool FunctionRun::is_followed(ValueId list, ValueId own) const {
  const Value& value = values_[list];
  const auto are_followed = [&](std::span<const ValueId> parts) {
    return std::ranges::all_of(parts, [&](ValueId part) { return is_followed(part, own); });
  };
  switch (value.kind) {
    case ValueKind::Tuple:
    case ValueKind::Parameter: return true;
    case ValueKind::Binary: return value.op == ir::Operator::Add && are_followed(values_.children(list));
    case ValueKind::Conditional:
      return values_.is_small_choice(list) && are_followed(values_.children(list).subspan(1));
    default: return list == own;
  }
}

// What the list holds as far as it is known here: in a method its own, whatever that is; of an object made here what
// its constructor leaves. Invalid: nothing is known.
ValueId FunctionRun::list_before(const PlaceKey& place, const Environment& env) {
  const ValueId own = values_.attribute(place.object, place.name);
  if (const ValueId held = env.get(place); held.valid()) return is_followed(held, own) ? held : ValueId{};
  const Value& object = values_[place.object];
  if (object.kind == ValueKind::Parameter && object.b == 0 && object.a == key_.index &&
      index_.functions()[key_].owner.valid())
    return own;
  return made_at_.contains(place.object.index) ? in_.list_when_made(place.object, place.name) : ValueId{};
}

// `self.hooks.append(hook)`, `trainer.hooks.extend(hooks)`
void FunctionRun::grow_attribute(const ir::Instruction& i, const Call& call, Environment& env) {
  if (i.kind != ir::InstructionKind::Call || f_.exprs[i.value].kind != ir::ExprKind::Attribute ||
      call.positional.empty() || !ir_.has(ir::Convention::SharesObjects) || out_.graph.loop_around(block_).valid())
    return;
  const ir::ExprId list = ir::children(f_, i.value)[0];
  const std::string_view method = ir_.text(f_.exprs[i.value].symbol);
  if (f_.exprs[list].kind != ir::ExprKind::Attribute || !in_.roles().play(method, Role::AddsElement)) return;
  const ir::ExprId holder = ir::children(f_, list)[0];
  if (f_.exprs[holder].kind != ir::ExprKind::Name) return;
  const ValueId object = evaluate(holder, env), added = call.positional.back();
  const bool is_given = values_[added].kind == ValueKind::Parameter && !values_[added].type;
  const bool several = in_.roles().play(method, Role::AddsElements);
  if (!is_given && !(several ? in_.has_members(added) : in_.may_be_called(added))) return;
  const PlaceKey place = Environment::key(object, index_.name(module_, f_.exprs[list].symbol));
  if (is_one_of_several(object)) return;
  const ValueId before = list_before(place, env);
  if (!before.valid()) return;
  const ValueId more = several ? added : values_.node(ValueKind::Tuple, {{added}});
  if (!touched_.contains(place)) grown_.insert(place);
  touched_.insert(place);
  if (values_[object].kind == ValueKind::Instance) lists_of_objects_.insert(place);
  env.set(place, values_.binary(ir::Operator::Add, before, more));
}

// Whether a callee's change is that a list has more; then that is put into the object's place here, if what the list
// held is known and what is added can be called.
bool FunctionRun::take_added(const FieldState& change, const Binding& binding, ValueId guard, Environment& env) {
  const ValueId own = values_.attribute(change.object, change.name);
  if (!change.value.valid() || change.value == own || !is_followed(change.value, own) ||
      values_[change.value].kind == ValueKind::Tuple || !holds(change.value, own))
    return false;
  const ValueId object = in_.instantiate(change.object, binding);
  const PlaceKey place = Environment::key(object, change.name);
  const ValueId before = list_before(place, env);
  if (!before.valid() || out_.graph.loop_around(block_).valid()) {
    if (env.get(place).valid()) env.set(place, values_.attribute(object, change.name));
    return true;
  }
  Binding with_list = binding;
  with_list.memo.clear();
  with_list.held.push_back({object, change.name, before});
  const ValueId after = in_.instantiate(change.value, with_list);
  if (after == before || !in_.has_members(after)) return true;
  touched_.insert(place);
  if (values_[object].kind == ValueKind::Instance) lists_of_objects_.insert(place);
  env.set(place, guard.valid() ? values_.conditional(guard, after, before) : after);
  return true;
}

// What is said of a list to callers: that it holds more than it did. Nothing where it is not known what it held.
bool FunctionRun::is_lost_list(const PlaceKey& place, ValueId value) const {
  const ValueId own = values_.attribute(place.object, place.name);
  return grown_.contains(place) && (!value.valid() || !is_followed(value, own) || !holds(value, own));
}

bool FunctionRun::holds(ValueId list, ValueId own) const {
  return values_.find_part(list, [&](ValueId part) { return part == own; }).valid();
}

}  // namespace ranklint
