// Builtins and functions of standard libraries whose results are known without their bodies.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "analyzer/interp/function_run.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/entries.h"
#include "analyzer/variance/each_element.h"
#include "analyzer/variance/known.h"
#include "analyzer/variance/reals.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

// Whether a term may stand for such a thing. `str(rank)` is a number where nothing but its digits counts.
bool may_stand_for(const ValueStore& values, const ProjectIndex& index, ValueId v, Builtin type) {
  const Value& value = values[v];
  switch (value.kind) {
    case ValueKind::Integer:
    case ValueKind::Bool:
    case ValueKind::Coordinate:
    case ValueKind::Believed:
    case ValueKind::RankIn:
    case ValueKind::Size:
    case ValueKind::Binary: return type != Builtin::List;
    case ValueKind::Text: return type == Builtin::Str;
    case ValueKind::Tuple: return type == Builtin::List;
    case ValueKind::Conditional: return may_stand_for(values, index, values.child(v, 1), type);
    case ValueKind::Pure: {
      const bool is_list =
          values.is_result_of(v, ValueStore::Trait::KeepsElements) || is_call_of(values, index, v, Builtin::Range);
      return (type == Builtin::List) == is_list;
    }
    default: return false;
  }
}

// `int("3")`, `float("inf")`, `str(8)`, `bool(0.0)` of a constant. Invalid: it stays what it is, or is not known.
ValueId converted(ValueStore& values, const ProjectIndex& index, std::string_view type, ValueId v) {
  const std::string_view written =
      values[v].kind == ValueKind::Text ? index.names().text(Symbol{values[v].a}) : std::string_view();
  double number = 0;
  const bool is_number = values.number_of(v, number);
  if (is_builtin(type, Builtin::Str))
    return is_number && values[v].kind != ValueKind::Bool ? values.text(index.intern(values.describe(v))) : ValueId{};
  if (is_builtin(type, Builtin::Bool))
    return values.truth(v) != ValueStore::Truth::Unknown ? values.boolean(values.truth(v) == ValueStore::Truth::Yes)
                                                         : ValueId{};
  if (is_builtin(type, Builtin::Int) && values[v].kind == ValueKind::Real && std::abs(number) < 1e18)
    return values.integer(static_cast<int64_t>(number));
  if (is_builtin(type, Builtin::Int) && !written.empty() && written.size() < 18 &&
      written.find_first_not_of("0123456789") == written.npos)
    return values.integer(std::strtoll(std::string(written).c_str(), nullptr, 10));
  if (is_builtin(type, Builtin::Float) && !written.empty())
    if (const std::optional<double> read = read_real(written)) return values.real(*read);
  return {};
}

}  // namespace

// What the environment's variable of this name holds, where it is a rank or how many there are. Invalid: it is another,
// or not known.
ValueId FunctionRun::number_in_environment(ValueId variable) {
  if (!variable.valid()) return {};
  // `for name in ("SLURM_PROCID", "RANK")`: whichever is set, it is this rank.
  if (values_[variable].kind == ValueKind::Element && values_[values_.child(variable, 0)].kind == ValueKind::Tuple)
    return same_number_in_environment(values_.child(variable, 0));
  if (values_[variable].kind != ValueKind::Text) return {};
  const std::string_view name = index_.names().text(Symbol{values_[variable].a});
  if (in_.roles().play(name, Role::CountsRanks))
    return values_.leaf(ValueKind::Size, values_.intern(in_.axes_of({"world"})).index);
  const Model* model = in_.models_.find_environment(name);
  if (!model || model->axes.empty()) return {};
  const ValueId number = in_.coordinate_value(*model, {});
  // A text: "0" is true, where it is sure that it is set. What computes takes it for the number. Where types are
  // declared, it has been read as one.
  const bool is_text = ir_.has(ir::Convention::DeclaresNoTypes) && is_set_in_jobs(variable);
  return is_text ? derive(values_, index_, Derived::Digits, {{number}}) : number;
}

// What all variables of a list hold, where it is one number. Invalid: it is none.
ValueId FunctionRun::same_number_in_environment(ValueId variables) {
  ValueId number;
  for (uint32_t i = 0; i < values_[variables].child_count; ++i) {
    const ValueId held = number_in_environment(values_.child(variables, i));
    if (!held.valid() || (number.valid() && values_.without_digits(held) != number)) return {};
    number = values_.without_digits(held);
  }
  return number;
}

// Whether the environment of each rank has the variable of this name, or each that the name may be.
bool FunctionRun::is_set_in_jobs(ValueId variable) const {
  const auto is_set = [&](ValueId name) {
    return values_[name].kind == ValueKind::Text &&
           in_.roles().play(index_.names().text(Symbol{values_[name].a}), Role::SetInJobs);
  };
  if (values_[variable].kind != ValueKind::Element) return is_set(variable);
  const ValueId names = values_.child(variable, 0);
  return values_[names].kind == ValueKind::Tuple && std::ranges::all_of(values_.children(names), is_set);
}

// Whether the side of the branch at hand where the environment lacks what is asked for sets up ranks: it is the way of
// jobs that are launched otherwise.
bool FunctionRun::makes_job_without(ir::Operator asked) const {
  const ir::Terminator& end = f_.blocks[block_].terminator;
  if (end.kind != ir::TerminatorKind::Branch) return false;
  const ir::BlockId without = end.successors[asked == ir::Operator::In ? 1 : 0];
  const auto sets_up = [&](const ir::Instruction& i) { return in_.program().set_ups().sets_up(module_, f_, i); };
  return std::ranges::any_of(out_.graph().order(), [&](ir::BlockId b) {
    return out_.graph().dominates(without, b) && std::ranges::any_of(f_.blocks[b].instructions, sets_up);
  });
}

// `table.get(rank, other)` of a table that is written out, by a key that each rank has for itself: the entry under it,
// or what is given otherwise. Of a table that others fill it is the entry, or that. Invalid: it is another call, or not
// known.
ValueId FunctionRun::entry_looked_up(const Call& call, ValueId table, std::string_view method) {
  constexpr size_t kMostEntries = 8;
  if (!in_.roles().play(method, Role::LooksUpEntry) || call.positional.empty() || call.positional.size() > 2 ||
      !call.keywords.empty() || call.open_ended)
    return {};
  const ValueId key = call.positional[0];
  if (!in_.kept_in(table).empty()) {
    const ValueId entry = values_.subscript(table, key);
    return call.positional.size() == 2 && values_[call.positional[1]].kind != ValueKind::None
               ? values_.conditional(values_.binary(ir::Operator::In, key, table), entry, call.positional[1])
               : entry;
  }
  const std::vector<ValueId> parts(values_.children(table).begin(), values_.children(table).end());
  if (!values_.diverges(key) || !Entries(values_, index_).has_constant_keys(table) || parts.size() > 2 * kMostEntries)
    return {};
  ValueId found = call.positional.size() == 2 ? call.positional[1] : values_.none();
  for (size_t i = 0; i < parts.size(); i += 2)
    found = values_.conditional(values_.binary(ir::Operator::Equal, key, parts[i]), parts[i + 1], found);
  return found;
}

// `map(f, parts)`, `model.register_forward_hook(f)`: the library calls `f`, at once or later, on the ranks that come
// here. With what is not known, and what it leaves changed is not followed.
void FunctionRun::call_back(const Call& call, const Environment& env, const SourceRange& range) {
  const RoleEntry* role = in_.roles().find(in_.callee_path(call.callee), Role::CallsBack);
  if (!role || !in_.targets(call.callee).empty()) return;
  Call back;
  back.callee = argument(call, role->argument);
  back.open_ended = true;
  if (!back.callee.valid() || in_.targets(back.callee).empty()) return;
  in_.unfold_partial(back);
  Environment changed = env;
  bool known = false;
  apply_project(back, changed, range, known);
}

// `getattr(hook, "after_step")`, and with a name that the caller gives. Invalid: it is another call, or not known.
ValueId FunctionRun::attribute_asked(std::string_view function, const Call& call) {
  const bool gets = is_builtin(function, Builtin::Getattr);
  if ((!gets && !is_builtin(function, Builtin::Hasattr)) || call.positional.size() < 2) return {};
  const ValueId object = call.positional[0], name = call.positional[1];
  if (values_[name].kind != ValueKind::Text)
    return gets && call.positional.size() == 2 && passed_by_caller(values_, index_, name).valid()
               ? derive(values_, index_, Derived::NamedAttribute, call.positional)
               : ValueId{};
  if (!gets) {
    const Symbol type = values_.external_type_of(object);
    const std::string_view asked = index_.names().text(Symbol{values_[name].a});
    if (type.valid() && values_[object].kind != ValueKind::Attribute &&
        in_.models_.names_member(index_.names().text(type), asked))
      return values_.boolean(true);
    return values_.node(ValueKind::Pure, call.positional, index_.intern(function).index);
  }
  const ValueId v = in_.get_attribute(object, Symbol{values_[name].a});
  return v.valid() ? v : opaque();
}

// `isinstance(model, DDP)` of what is known to be one, `isinstance(model, (DDP, FSDP))` too; what an object keeps may
// be another at another time. Invalid: it is another call, or not known.
ValueId FunctionRun::told_by_type(std::string_view function, const Call& call) {
  if (!is_builtin(function, Builtin::Isinstance) || call.positional.size() != 2) return {};
  const Symbol type = values_.external_type_of(call.positional[0]);
  if (!type.valid() || values_[call.positional[0]].kind == ValueKind::Attribute) return {};
  const bool is_one = is_among_kinds(values_, index_.names(), type, call.positional[1]);
  return is_one ? values_.boolean(true) : ValueId{};
}

// What a function, or a method of the object, computes of what ranks disagree on by their number: `math.floor(rank /
// 2)`. Invalid: it is another call.
ValueId FunctionRun::computed_of_rank(std::string_view function, ValueId object, const Call& call) {
  if (!in_.roles().play(function, Role::Computes) || call.open_ended || !call.keywords.empty()) return {};
  std::vector<ValueId> given;
  if (object.valid()) given.push_back(object);
  given.insert(given.end(), call.positional.begin(), call.positional.end());
  const Symbol name = index_.intern(function);
  const auto may_be = [&](ValueId v) { return may_be_known(values_, index_, v); };
  const auto differs = [&](ValueId v) { return !values_.variance(v).empty(); };
  return values_.computation(name).takes(given.size()) && std::ranges::all_of(given, may_be) &&
                 std::ranges::any_of(given, differs)
             ? values_.pure(name, given)
             : ValueId{};
}

// Whose method is called, also of a choice. Invalid: it is no method, or not one for all.
ValueId FunctionRun::object_of_method(ValueId callee, Symbol& method) {
  const Value& value = values_[callee];
  if (value.kind == ValueKind::Attribute) {
    const bool is_it = !method.valid() || method == Symbol{value.a};
    method = Symbol{value.a};
    return is_it ? values_.child(callee, 0) : ValueId{};
  }
  if (!values_.is_small_choice(callee)) return {};
  const ValueId yes = object_of_method(values_.child(callee, 1), method),
                no = yes.valid() ? object_of_method(values_.child(callee, 2), method) : ValueId{};
  return no.valid() ? values_.conditional(values_.child(callee, 0), yes, no) : ValueId{};
}

// By position first.
static std::vector<ValueId> given_to(const Call& call) {
  std::vector<ValueId> given(call.positional.begin(), call.positional.end());
  for (const auto& [keyword, value] : call.keywords) given.push_back(value);
  return given;
}

// The same of a method of a number, a text or a list. Invalid: the object is none, or it is another method.
ValueId FunctionRun::computed_by_method(const Call& call) {
  Symbol method;
  const ValueId called_on = object_of_method(call.callee, method);
  if (!called_on.valid()) return {};
  const ValueId object = values_.without_digits(called_on);
  for (const Builtin type : {Builtin::Int, Builtin::Str, Builtin::List}) {
    if (!may_stand_for(values_, index_, object, type)) continue;
    const std::string name = std::string(name_of(type)) + "." + std::string(index_.names().text(method));
    if (const ValueId made = computed_of_rank(name, object, call); made.valid()) return made;
    if (in_.roles().play(name, Role::FillsText) && values_[object].kind == ValueKind::Text && !call.open_ended)
      return filled_text(object, given_to(call));
  }
  return {};
}

// What follows from the arguments alone. Invalid: it is another call.
ValueId FunctionRun::made_of_given(std::string_view name, const Call& call) {
  const Roles& roles = in_.roles();
  // `any(rank == r for r in ranks)`; what another call asks for first is known only of what is in sight.
  const bool asks_for_first = roles.play(name, Role::GivesFirst) && !call.positional.empty() &&
                              derived_of(values_, index_, call.positional[0]) == Derived::OfEach;
  if (asks_for_first || roles.play(name, Role::HoldsForAny) || roles.play(name, Role::HoldsForAll))
    return values_.pure(index_.intern(name), call.positional);
  if (!roles.play(name, Role::FollowsFromArguments)) return {};
  std::vector<ValueId> given(call.positional.begin(), call.positional.end());
  const bool copies = is_builtin(name, Builtin::List) || is_builtin(name, Builtin::Tuple);
  if (given.size() == 1 && is_filled_by_some(given[0])) {
    if (copies) return given[0];
    if (const ValueId made = computed_of(values_, index_, index_.intern(name), given); made.valid()) return made;
  }
  // Of `sum(r == rank for r in ranks)` nothing is computed: ranks may well agree on it.
  if (!roles.play(name, Role::KeepsElements) && !roles.play(name, Role::CountsElements))
    for (ValueId& v : given)
      if (derived_of(values_, index_, v) == Derived::OfEach &&
          !is_call_of(values_, index_, values_.child(v, 0), Builtin::Range) &&
          !is_written_out(values_, index_, values_.child(v, 0)))
        v = opaque();
  // `min(a, b, key=cost)` is neither the smaller number nor the same as without.
  if (roles.play(name, Role::Computes))
    for (const auto& [keyword, value] : call.keywords) given.push_back(value);
  const Model* made_by = in_.model_of(call.callee);
  return values_.node(ValueKind::Pure, given, index_.intern(name).index, 0, 0, ir::Operator::None,
                      made_by ? type_made(*made_by) : 0);
}

// `int(rank / 2)`: the number, where it may lie between whole ones.
ValueId FunctionRun::made_whole(std::string_view name, ValueId v) {
  const auto may_lie_between = [&](ValueId part) {
    return values_[part].kind == ValueKind::Real ||
           (values_[part].kind == ValueKind::Binary && values_[part].op == ir::Operator::Divide);
  };
  return is_builtin(name, Builtin::Int) && !values_.variance(v).empty() && values_.find_part(v, may_lie_between).valid()
             ? values_.pure(index_.intern(name), std::array{v})
             : ValueId{};
}

ValueId FunctionRun::apply_builtin(std::string_view name, const Call& call, bool& known) {
  known = true;
  if (is_builtin(name, Builtin::Super)) {
    const ClassKey owner = index_.functions()[key_].owner;
    ValueId self = call.positional.size() == 2 ? call.positional[1] : ValueId{};
    if (!self.valid() && !f_.parameters.empty())
      self = values_.leaf(ValueKind::Parameter, key_.index, 0, in_.flags(key_).is_classmethod ? 1 : 0,
                          owner.valid() ? ValueStore::type_of_class(owner) : 0);
    if (owner.valid() && self.valid()) return values_.node(ValueKind::Super, {{self}}, owner.index);
    return opaque();
  }
  const Roles& roles = in_.roles();
  if (roles.play(name, Role::Converts) && call.positional.size() == 1) {
    const bool keeps_text = is_builtin(name, {Builtin::Str, Builtin::Bool});
    const ValueId v = keeps_text ? call.positional[0] : values_.without_digits(call.positional[0]);
    if (const ValueId made = converted(values_, index_, name, v); made.valid()) return made;
    if (const ValueId made = made_whole(name, v); made.valid()) return made;
    const bool is_size = values_[v].kind == ValueKind::Size || values_[v].kind == ValueKind::SizeIn;
    return values_.diverges(v) || values_.is_constant(v) || (is_size && !keeps_text)
               ? v
               : values_.node(ValueKind::Pure, call.positional, index_.intern(name).index);
  }
  // typing.cast(T, x): x, of that class where nothing more is known.
  if (roles.play(name, Role::CastsType) && call.positional.size() == 2) {
    const ValueId type = call.positional[0], of = call.positional[1];
    const bool is_class_call = values_[type].kind == ValueKind::Class && !values_.class_of(of).valid();
    return is_class_call ? values_.with_type(of, ValueStore::type_of_class(ClassKey{values_[type].a})) : of;
  }
  // With more arguments by position it is another form of it: `iter(ask, end)`.
  if (const RoleEntry* entry = roles.find(name, Role::ReturnsArgument);
      entry && static_cast<int>(call.positional.size()) <= entry->argument.position + 1 && !call.open_ended)
    if (const ValueId given = argument(call, entry->argument); given.valid()) return given;
  if (is_builtin(name, Builtin::Dict) && call.positional.empty() && !call.open_ended)
    return Entries(values_, index_).make(call.keywords);
  // torch.isnan, math.isfinite, numpy.isinf
  if (const std::string_view last = last_part(name);
      last != name && roles.play(last, Role::LooksForNoNumber) && call.positional.size() == 1)
    return values_.node(ValueKind::Pure, call.positional, index_.intern(last).index);
  if (is_builtin(name, Builtin::Next) && !call.positional.empty() && is_loader_iterator(call.positional[0]))
    return call.positional.size() == 1 ? loaded_batch(here()) : values_.batch(here().index);
  if (is_builtin(name, Builtin::Len) && call.positional.size() == 1 &&
      values_[call.positional[0]].kind == ValueKind::Tuple)
    return values_.integer(values_[call.positional[0]].child_count);
  if (const ValueId made = made_of_given(name, call); made.valid()) return made;
  if (const ValueId made = computed_of_rank(name, {}, call); made.valid()) return made;
  if (const ValueId asked = attribute_asked(name, call); asked.valid()) return asked;
  // All calls in a process get the same answer, and ranks call it in the same place.
  if (roles.play(name, Role::TellsWorker)) {
    const std::string_view owner = name.substr(0, name.size() - std::min(name.size(), last_part(name).size() + 1));
    return values_.attribute(values_.leaf(ValueKind::External, index_.intern(owner).index),
                             index_.intern(last_part(name)));
  }
  if (const ValueId told = told_by_type(name, call); told.valid()) return told;
  if (is_builtin(name, {Builtin::Isinstance, Builtin::Issubclass, Builtin::Callable, Builtin::Type}))
    return values_.pure(index_.intern(name), call.positional);
  if (const RoleEntry* entry = roles.find(name, Role::ReadsEnvironment))
    if (const ValueId number = number_in_environment(argument(call, entry->argument)); number.valid()) return number;
  known = false;
  return {};
}

// `await asyncio.to_thread(f, x)` is f(x) as far as ranks are concerned: then the call becomes that one. So does
// `field(default_factory=f)`, of which each object has what f() gives; that it does not communicate here.
bool FunctionRun::runs_elsewhere(Call& call) const {
  const Value& callee = values_[call.callee];
  if (callee.kind != ValueKind::External) return false;
  const RoleEntry* calls = in_.roles().find(index_.names().text(Symbol{callee.a}), Role::CallsArgument);
  if (!calls) return false;
  if (calls->argument.present()) {
    const ValueId made_by = in_.argument(call, calls->argument);
    if (!made_by.valid() || in_.may_communicate(made_by)) return false;
    call = {};
    call.callee = made_by;
    return true;
  }
  if (call.positional.empty()) return false;
  call.callee = call.positional.front();
  call.positional = CompactVector<ValueId>(std::span<const ValueId>(call.positional).subspan(1));
  return true;
}

}  // namespace ranklint
