// What calls do to the objects that they are given, so that ranks disagree on attributes that none of them set here.
//
//     def validate(self):
//         if self.rank == 0: self.stop = self.loss() > self.best      # one rank alone
//
//     def fit(self):
//         for epoch in range(epochs):
//             if self.stop: break          # the others go on
//             self.epoch()
//             self.validate()
//
// A summary says which attributes of its parameters, of what these hold, and of what they hold a function has changed
// when it returns, and to which values, in terms of its parameters; a call puts those into the places of the caller. A
// value is kept where ranks disagree on it. Else the place is what its class says, and what was known of it before no
// longer holds. And what is known here goes along with each call, so that a callee that reads the object sees it.
//
// Objects are terms, not identities: two objects that were made alike are one term, and nothing is put into such.
#include <algorithm>

#include "analyzer/interp/function_run.h"
#include "analyzer/summary/guards.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr size_t kMostChanges = 200;  // of one function
constexpr size_t kMostHeld = 32;      // that ranks agree on, passed to one call

// What the object is reached from: `self` of `self.control.state`.
ValueId root_of(const ValueStore& values, ValueId object) {
  while (values[object].kind == ValueKind::Attribute) object = values.child(object, 0);
  return object;
}

// Whether a term may become something that ranks disagree on once its parameters are known.
bool may_come_to_differ(const ValueStore& values, ValueId v) {
  if (values.diverges(v) || values[v].of_batch) return true;
  if (values[v].closed) return false;
  switch (values[v].kind) {
    // Of a batch, perhaps, or made with a group.
    case ValueKind::Opaque: return values[v].child_count > 0;
    case ValueKind::Parameter:
    case ValueKind::Conditional:
    case ValueKind::LoopPhi:
    case ValueKind::Unary:
    case ValueKind::Binary:
    case ValueKind::And:
    case ValueKind::Or:
    case ValueKind::Pure: return true;
    default: return false;
  }
}

}  // namespace

// What an attribute holds that nothing was done to here. Of an object whose methods are being run that is not asked
// now.
ValueId FunctionRun::before_any_change(const PlaceKey& place) {
  if (!place.is_attribute() || !ir_.has(ir::Convention::SharesObjects)) return {};
  const ValueId object = place.object, root = root_of(values_, object);
  const bool own =
      values_[root].kind == ValueKind::Parameter && values_[root].b == 0 && index_.functions()[key_].owner.valid();
  if (own) return values_.attribute(object, place.name);
  const ValueId known = in_.get_attribute(object, place.name);
  return known.valid() ? known : values_.attribute(object, place.name);
}

// Whether it is an attribute of an object that is the same in every round of the loop.
bool FunctionRun::is_carried(const PlaceKey& place, ir::BlockId header) const {
  if (!place.is_attribute()) return false;
  const ValueId object = place.object;
  const Value& root = values_[root_of(values_, object)];
  switch (root.kind) {
    case ValueKind::Parameter:
    case ValueKind::Free:
    case ValueKind::Global: return true;
    case ValueKind::Instance: {
      const auto made = made_at_.find(root_of(values_, object).index);
      const auto& inside = out_.graph().loop_blocks(header);
      return made != made_at_.end() && !made->second.several &&
             std::ranges::find(inside, made->second.block) == inside.end();
    }
    default: return false;
  }
}

void FunctionRun::note_made(ValueId object) {
  const auto [place, added] = made_at_.try_emplace(object.index, Making{block_, instruction_});
  if (!added) place->second.several |= place->second.block != block_ || place->second.instruction != instruction_;
}

// Whether another object may be the same term.
bool FunctionRun::is_one_of_several(ValueId object) const {
  const auto made = made_at_.find(root_of(values_, object).index);
  return made != made_at_.end() && made->second.several;
}

// Whether callers and callees learn of a value because of what it is: it differs between ranks, or has a group.
bool FunctionRun::is_noted(ValueId value) const {
  return values_.diverges(value) || values_[value].of_batch || group_made_with(values_, index_, value).valid();
}

void FunctionRun::take_changes(const Summary& callee, const Binding& binding, ValueId guard, Environment& env) {
  // What is done under a rank's condition differs between the ranks where the sides meet again.
  const bool for_some =
      !callee.changes.empty() && (is_guarded(values_, out_, f_, block_) || (guard.valid() && values_.diverges(guard)));
  for (const FieldState& change : callee.changes) {
    const ValueId object = in_.instantiate(change.object, binding);
    if (is_one_of_several(object)) continue;
    const PlaceKey place = Environment::key(object, change.name);
    if (touched_.size() < kMostChanges) touched_.insert(place);
    const ValueId before = env.get(place);
    const ValueId after = change.value.valid() ? in_.instantiate(change.value, binding) : ValueId{};
    // `self.is_made = True`: what is asked again further down.
    const bool is_flag = after.valid() && values_[after].kind == ValueKind::Bool;
    if (!(after.valid() && is_noted(after)) && !before.valid() && !for_some && !is_flag) continue;
    ValueId value = after.valid() ? after : for_some ? opaque() : before_any_change(place);
    if (guard.valid()) value = values_.conditional(guard, value, before.valid() ? before : before_any_change(place));
    env.set(place, value);
  }
}

// What a constructor, or a method that it calls, keeps in the object that is made here, if that was made with a group
// or is a share that is longer on some ranks. The class says the rest.
void FunctionRun::take_constructed(const Summary& constructor, const Binding& binding, Environment& env) {
  for (const FieldState& change : constructor.changes) {
    const ValueId value = change.value.valid() ? in_.instantiate(change.value, binding) : ValueId{};
    if (!value.valid() || !(group_made_with(values_, index_, value).valid() || values_.is_uneven_share(value)))
      continue;
    const ValueId object = in_.instantiate(change.object, binding);
    if (is_one_of_several(object) || touched_.size() >= kMostChanges) continue;
    const PlaceKey place = Environment::key(object, change.name);
    touched_.insert(place);
    env.set(place, value);
  }
}

// `makes`: the call makes an object, and the callee is its constructor.
void FunctionRun::take_effects(const Summary& callee, const Binding& binding, ValueId guard, bool makes,
                               Environment& env) {
  makes ? take_constructed(callee, binding, env) : take_changes(callee, binding, guard, env);
}

// What goes along with a call of what is known here, where a class does not say it.
CompactVector<FieldState> FunctionRun::held_by(const Environment& env) const {
  CompactVector<FieldState> held;
  for (const PlaceKey& place : touched_) {
    const ValueId value = env.get(place);
    if (!value.valid() || (values_[value].type && !group_made_with(values_, index_, value).valid())) continue;
    if (is_noted(value) || (!is_constructor_ && held.size() < kMostHeld))
      held.push_back({place.object, place.name, value});
  }
  return held;
}

void FunctionRun::collect_changes() {
  if (!ir_.has(ir::Convention::SharesObjects)) return;
  std::vector<ir::BlockId> returns;
  for (ir::BlockId b : out_.graph().order())
    if (f_.blocks[b].terminator.kind == ir::TerminatorKind::Return) returns.push_back(b);
  for (const PlaceKey& place : touched_) {
    const Value& root = values_[root_of(values_, place.object)];
    if (root.kind != ValueKind::Parameter || root.a != key_.index) continue;
    ValueId value = value_on_return(place, returns);
    if (value.valid() && !may_come_to_differ(values_, value) && !values_.is_constant(value)) value = {};
    out_.changes.push_back({place.object, place.name, value});
  }
}

// Invalid: it is not known.
ValueId FunctionRun::value_on_return(const PlaceKey& place, const std::vector<ir::BlockId>& returns) {
  if (returns.size() == 1) return after_[returns[0].index].get(place);
  if (returns.empty() || !has_few_branches()) return {};
  std::map<uint32_t, ValueId> known;
  return choose_return(
      ir::BlockId{0}, place,
      [&](ir::BlockId at) {
        const ValueId v = after_[at.index].get(place);
        return v.valid() ? v : before_any_change(place);
      },
      known);
}

}  // namespace ranklint
