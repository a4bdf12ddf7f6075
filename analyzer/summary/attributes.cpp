// What an attribute of a value is: a method, a property's result, what the class's assignments say, what a model says
// of a library's object, or what its name lets one believe.
#include <algorithm>
#include <array>
#include <optional>

#include "analyzer/base/stack_room.h"
#include "analyzer/program/suggested_by_name.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/constructors.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/beliefs.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr int kDeepestLookup = 24;
constexpr int kMostLookups = 2000;
constexpr size_t kLongestName = 400;  // of a library, as in `a.b.c`; the rest of a longer chain is read as attributes

// Whether the condition asks if the value is not there yet: `not x`, `x is None`.
bool tests_if_missing(const ValueStore& values, ValueId condition, ValueId value) {
  const Value& asked = values[condition];
  if (asked.kind == ValueKind::Unary) return asked.op == ir::Operator::Not && values.child(condition, 0) == value;
  return asked.kind == ValueKind::Binary && asked.op == ir::Operator::Is && values.child(condition, 0) == value &&
         values[values.child(condition, 1)].kind == ValueKind::None;
}

// The type of both ends of a choice: its own, or that of the one object that is made when it is asked for first.
uint32_t type_of_ends(ValueStore& values, ValueId choice) {
  if (const uint32_t own = values[choice].type) return own;
  const ValueId condition = values.child(choice, 0), made = values.child(choice, 1), kept = values.child(choice, 2);
  const ClassKey c = values.class_of(made);
  return c.valid() && tests_if_missing(values, condition, kept) ? ValueStore::type_of_class(c) : 0;
}

bool gives_attribute(const ProjectIndex& index, ClassKey c, Symbol name) {
  return std::ranges::any_of(index.linearization(c),
                             [&](ClassKey k) { return index.classes()[k].attributes.contains(name); });
}

}  // namespace

ValueId Query::method_value(FunctionKey f, ValueId receiver) const {
  const FunctionFlags& is = flags(f);
  const ValueId function = function_value(f);
  if (is.is_static) return function;
  const Value& v = values_[function];
  if (v.kind == ValueKind::Function && v.a == f.index && v.child_count == 0)
    return values_.node(ValueKind::Bound, {{receiver}}, f.index);
  return values_.node(ValueKind::Partial, {{function, receiver}});
}

ValueId Query::coordinate_value(const Model& model, ValueId group) const {
  ValueId coordinate, size;
  AxisSet axes = axes_of(model.axes);
  if (group.valid()) {
    if (auto known = resolve_group(group, Unknown::Nothing)) {
      axes = *known;
      if (axes.world) axes.axes.clear();  // the rank in a copy is that in the original
    } else {
      coordinate = values_.node(ValueKind::RankIn, {{group}});
      size = values_.node(ValueKind::SizeIn, {{group}});
    }
  }
  if (!coordinate.valid()) {
    if (axes.empty()) axes.world = true;
    coordinate = values_.coordinate(axes);
    size = values_.leaf(ValueKind::Size, values_.intern(axes).index);
  }
  switch (model.kind) {
    case ModelKind::SizeSource: return size;
    case ModelKind::RankPredicate:
    case ModelKind::GuardDecorator:
    case ModelKind::GuardContext:
      switch (model.predicate) {
        case RankPredicateKind::First: return values_.binary(ir::Operator::Equal, coordinate, values_.integer(0));
        case RankPredicateKind::NotFirst: return values_.binary(ir::Operator::NotEqual, coordinate, values_.integer(0));
        case RankPredicateKind::Last:
          return values_.binary(ir::Operator::Equal, coordinate,
                                values_.binary(ir::Operator::Subtract, size, values_.integer(1)));
      }
      break;
    default: break;
  }
  return coordinate;
}

// Of a communicator whose making is seen the ranks are its own; of any other the world's, where the model says so.
bool Query::counts_in_receiver(const Model& model, ValueId receiver) const {
  const bool is_made =
      receiver.valid() && values_[receiver].kind == ValueKind::Opaque && values_.external_type_of(receiver).valid();
  return model.group.otherwise == GroupSpec::Otherwise::Receiver && (model.axes.empty() || is_made);
}

// A model found for an attribute that is read, not called: a property of an accelerator, a group, a state.
ValueId Query::model_attribute(const Model& model, ValueId receiver) const {
  if (model.group.argument.present()) return {};  // a method: the call says which group
  switch (model.kind) {
    case ModelKind::RankSource:
    case ModelKind::SizeSource:
    case ModelKind::RankPredicate:
      return coordinate_value(model, counts_in_receiver(model, receiver) ? receiver : ValueId{});
    case ModelKind::GroupSource:
      if (model.axes.empty() && model.group.otherwise == GroupSpec::Otherwise::Receiver) return receiver;
      return model.axes.empty() ? ValueId{} : values_.group(axes_of(model.axes));
    case ModelKind::Initialized: return values_.boolean(true);
    default: return {};
  }
}

ValueId Query::attribute_of_group(ValueId base, Symbol name) const {
  const std::string_view text = index_.names().text(name);
  for (const std::string& owner : roles().names_in(Role::GroupClass))
    if (const Model* model = models_.find(owner + "." + std::string(text)))
      if (ValueId v = model_attribute(*model, base); v.valid()) return v;
  return roles().play(text, Role::GivesGroup) ? base : ValueId{};
}

ValueId Query::believed(ValueId plain, std::string_view name) const {
  const auto belief = belief_about(models_, name);
  return belief ? values_.node(ValueKind::Believed, {{plain}}, values_.intern(axes_of(*belief->axes)).index,
                               static_cast<uint32_t>(belief->kind))
                : plain;
}

ValueId Query::believed_attribute(ValueId base, Symbol name) const {
  return believed(values_.attribute(base, name), index_.names().text(name));
}

// Whether the same function always assigns the attribute another known value afterwards:
//
//     self.model = Net(config)
//     self.model = DistributedDataParallel(self.model)
bool Query::is_overwritten_later(std::span<const AttributeSite> sites, const AttributeSite& site, Symbol name) const {
  return std::ranges::any_of(sites, [&](const AttributeSite& later) {
    if (later.function != site.function) return false;
    const Summary* setter = summary(site.function);
    if (!setter) return false;
    bool is_always_after = later.block == site.block && later.instruction > site.instruction;
    for (ir::BlockId next = setter->graph().join(site.block); !is_always_after && next.valid();
         next = setter->graph().join(next))
      is_always_after = next == later.block;
    const ValueId value = is_always_after ? setter->given_to(name, later) : ValueId{};
    return value.valid() && (values_[value].closed || values_[value].type != 0);
  });
}

// `self.ready = False`, and not what is worked out: `self.distributed = dist.is_initialized()`.
static bool is_set_by_literal(const ProjectIndex& index, const AttributeSite& site) {
  const ir::Function& f = index.function(site.function);
  const ir::ExprId set = f.blocks[site.block].instructions[site.instruction].value;
  return !set.valid() || f.exprs[set].kind == ir::ExprKind::True || f.exprs[set].kind == ir::ExprKind::False;
}

ValueId Query::class_attribute(ClassKey c, Symbol name) const {
  const std::pair key{c.index, name.index};
  if (const ValueId* known = class_attributes_.find(key)) return *known;
  class_attributes_.set(key, {});  // what is found when a setter asks for what it sets
  const uint32_t in_the_making = asking_.in_the_making;
  std::vector<ValueId> found;
  bool assigned = false, is_flag = program_.is_changed_from_outside(name);
  for (ClassKey k : index_.linearization(c)) {
    const ClassInfo& info = index_.classes()[k];
    if (auto sites = info.attributes.find(name); sites != info.attributes.end())
      for (const AttributeSite& site : sites->second) {
        assigned = true;
        is_flag = is_flag || is_set_by_literal(index_, site);
        if (is_overwritten_later(sites->second, site, name)) continue;
        ValueId value;  // unknown while the setter is being run
        if (const Summary* setter = summary(site.function)) value = setter->given_to(name, site);
        found.push_back(value);
      }
    const ir::FunctionId own_body = index_.klass(k).body;  // C++ classes have none
    if (const Summary* body = own_body.valid() ? summary(index_.key(info.module, own_body)) : nullptr)
      if (const ValueId value = body->at_end(name); value.valid()) {
        // A class-level constant that instances overwrite is only a default.
        if (!(assigned && values_.is_constant(value)))
          found.push_back(value);
        else
          is_flag = true;
      }
  }
  const ValueId marker = values_.leaf(ValueKind::Global, UINT32_MAX, name.index);
  ValueId joined = join_assignments(found, marker);
  if (values_[joined].kind == ValueKind::Global && values_[joined].a == UINT32_MAX && values_[joined].type == 0)
    joined = {};
  // A truth that is written is a flag, which other code may change; one that is worked out is known.
  if (assigned && !is_flag && found.size() == 1 && found[0].valid() && values_[found[0]].kind == ValueKind::Bool)
    joined = found[0];
  if (asking_.in_the_making == in_the_making) return class_attributes_.set(key, joined);
  class_attributes_.forget(key);  // it is more, perhaps, when all setters have been run
  return joined;
}

ValueId Query::get_attribute(ValueId base, Symbol name) const {
  require_stack_room();
  // A property may be written in terms of itself on another object, and so on without end.
  // One that is written in terms of two others doubles with each level, so that levels alone are no bound.
  if (asking_.lookups == 0) asking_.lookup_budget = kMostLookups;
  if (asking_.lookups >= kDeepestLookup || asking_.lookup_budget == 0) return values_.attribute(base, name);
  if (--asking_.lookup_budget == 0 && asking_.running.valid())
    note_incomplete(asking_.running, IncompleteReason::ManyLookups);
  ++asking_.lookups;
  const ValueId found = find_attribute(base, name);
  --asking_.lookups;
  return found;
}

// By the names of the class and of those it derives from, in any module. Where the class itself gives the attribute a
// value, this counts, and not what an attribute of that name is of any object.
const std::vector<const Model*>& Query::models_of_member(ClassKey c, Symbol name) const {
  const std::pair key{c.index, name.index};
  if (const auto* known = member_models_.find(key)) return *known;
  std::vector<const Model*> found;
  const std::string member = "." + std::string(index_.names().text(name));
  const Model* left_out = gives_attribute(index_, c, name) ? models_.find("?" + member) : nullptr;
  const auto add = [&](const std::string& owner) {
    if (const Model* model = models_.find(owner + member); model && model != left_out) found.push_back(model);
  };
  for (ClassKey k : index_.linearization(c)) {
    add(index_.import_name(k));
    for (Symbol external : index_.classes()[k].external_bases) add(std::string(index_.names().text(external)));
  }
  return member_models_.set(key, std::move(found));
}

// Of `writer if enabled else None` what the writer has.
ValueId Query::attribute_of_choice(ValueId base, Symbol name) const {
  const ValueId condition = values_.child(base, 0), yes = values_.child(base, 1), no = values_.child(base, 2);
  if (values_[yes].kind == ValueKind::None) return get_attribute(no, name);
  if (values_[no].kind == ValueKind::None) return get_attribute(yes, name);
  if (!values_.is_small_choice(base)) return values_.attribute(base, name);
  const uint32_t type = type_of_ends(values_, base);
  const auto typed = [&](ValueId end) {
    return type && !values_.class_of(end).valid() ? values_.with_type(end, type) : end;
  };
  const ValueId a = get_attribute(typed(yes), name), b = get_attribute(typed(no), name);
  return a.valid() && b.valid() ? values_.conditional(condition, a, b) : values_.attribute(base, name);
}

// `Gather.apply` of an autograd function: its `forward`, which is given a context first unless `setup_context` fills
// that.
ValueId Query::applied_function(ClassKey c, Symbol name) const {
  const RoleEntry* calls = role_of_method(roles(), index_, c, index_.names().text(name), Role::CallsMethod);
  const FunctionKey forward = calls ? index_.find_method(c, index_.intern(calls->note)) : FunctionKey{};
  if (!forward.valid()) return {};
  const ValueId function = function_value(forward);
  if (index_.find_method(c, index_.intern("setup_context")).valid()) return function;
  const ValueId context = values_.leaf(ValueKind::External, index_.intern("FunctionCtx").index);
  return values_.node(ValueKind::Partial, {{function, context}});
}

ValueId Query::attribute_of_class(ValueId base, Symbol name) const {
  const ClassKey c{values_[base].a};
  if (const FunctionKey method = index_.find_method(c, name); method.valid())
    return flags(method).is_classmethod ? method_value(method, base) : function_value(method);
  if (const ValueId v = applied_function(c, name); v.valid()) return v;
  // The members of an enumeration are distinct constants.
  if (derives_from(roles(), index_, c, Role::EnumerationClass))
    return values_.text(index_.intern(std::string(class_name(c)) + "." + std::string(index_.names().text(name))));
  const ValueId v = class_attribute(c, name);
  return v.valid() ? v : values_.attribute(base, name);
}

ValueId Query::attribute_of_super(ValueId base, Symbol name) const {
  const ClassKey c{values_[base].a};
  for (ClassKey k : index_.linearization(c)) {
    if (k == c) continue;
    const auto& methods = index_.classes()[k].methods;
    const auto found = methods.find(name);
    if (found == methods.end()) continue;
    if (flags(found->second).is_static) return function_value(found->second);
    // Exactly this method: an overriding one is what called it.
    return values_.node(ValueKind::Partial, {{function_value(found->second), values_.child(base, 0)}});
  }
  return values_.attribute(base, name);
}

// `self.rank = len(self.arguments)`: how many there are of something, under any name.
bool Query::is_length(ClassKey c, Symbol name) const {
  const auto sets_length = [&](const AttributeSite& site) {
    const Summary* setter = summary(site.function);
    const ValueId set = setter ? setter->given_to(name, site) : ValueId{};
    return set.valid() && is_call_of(values_, index_, set, Builtin::Len);
  };
  bool any = false;
  for (ClassKey k : index_.linearization(c)) {
    const auto sites = index_.classes()[k].attributes.find(name);
    if (sites == index_.classes()[k].attributes.end()) continue;
    if (!std::ranges::all_of(sites->second, sets_length)) return false;
    any = true;
  }
  return any;
}

// Of an object of a class of the project.
ValueId Query::attribute_of_object(ClassKey c, ValueId base, Symbol name) const {
  const FunctionKey method = index_.find_method(c, name);
  // A getter that needs further arguments is not known yet.
  const std::vector<const Model*>& known = models_of_member(c, name);
  const bool waits = !known.empty() && method.valid() &&
                     demands_argument(values_.node(ValueKind::Bound, std::array{base}, method.index));
  if (!waits)
    for (const Model* model : known)
      if (const ValueId v = model_attribute(*model, base); v.valid()) return v;
  if (method.valid()) return attribute_of_method(method, base, name);
  if (const ValueId v = field_value(base, name); v.valid()) return v;
  if (const ValueId v = rank_conditional_attribute(c, name, base); v.valid()) return v;
  const ValueId of_class = class_attribute(c, name);
  if (of_class.valid() && values_[of_class].kind != ValueKind::Global) {
    // A placeholder under a suggestive name (`self.rank = -1`) is filled in somewhere else.
    if (values_.is_constant(of_class) && belief_about(models_, index_.names().text(name)))
      return believed_attribute(base, name);
    // A list that begins empty, and that methods append to; a table that is filled from elsewhere.
    const ValueId own = values_.attribute(base, name);
    if ((is_empty_list(values_, of_class) && !members_of(own).empty()) || !kept_in(own).empty()) return own;
    return of_class;
  }
  if (of_class.valid() && values_[of_class].type)
    return values_.with_type(values_.attribute(base, name), values_[of_class].type);
  if (const ValueId v = given_to_constructor(c, base, name); v.valid()) return v;
  uint32_t type = attribute_annotation(c, name);
  if (!type) type = program_.handed().type_of_kept(c, name);
  const ValueId v = is_length(c, name) ? values_.attribute(base, name) : believed_attribute(base, name);
  return type ? values_.with_type(v, type) : v;
}

// The method, bound; of a property what it returns, with the object put in.
ValueId Query::attribute_of_method(FunctionKey method, ValueId base, Symbol name) const {
  if (!flags(method).is_property) {
    const bool is_class_call = flags(method).is_classmethod && values_[base].kind == ValueKind::Instance;
    return method_value(method, is_class_call ? values_.leaf(ValueKind::Class, values_[base].a) : base);
  }
  // One that has no body of its own says nothing: a subclass does.
  const ir::Function& f = index_.function(method);
  const bool is_empty = f.blocks.size() == 1 && f.blocks[ir::BlockId{0}].instructions.empty() &&
                        !f.blocks[ir::BlockId{0}].terminator.value.valid();
  if (flags(method).is_abstract || is_empty) return believed_attribute(base, name);
  const Summary* getter = summary(method);
  if (!getter || !getter->result.valid()) return believed_attribute(base, name);
  return instantiate(getter->result,
                     bind({.function = method, .receiver = base, .captures = {}, .guard = {}}, Call(), 0));
}

// What the class's constructor makes of an attribute, with the arguments that an object of class `c` was made with: an
// object of the project or a rank's own value wherever it is set, a group or a constant where no other place in the
// constructor says otherwise (methods are not looked at), None where no code sets anything else. Invalid: that is
// unknown; nullopt: the constructor says nothing.
std::optional<ValueId> Query::given_to_constructor_of(ClassKey setting, ClassKey c, ValueId base, Symbol name) const {
  const auto& attributes = index_.classes()[setting].attributes;
  const auto sites = attributes.find(name);
  if (sites == attributes.end()) return std::nullopt;
  const bool only_once = sites->second.size() == 1;
  ValueId found, none;
  bool is_open = false, in_methods = false;
  for (const AttributeSite& site : sites->second) {
    const Summary* setter = is_constructor(index_, site.function) ? summary(site.function) : nullptr;
    in_methods = in_methods || !setter;
    if (!setter) continue;
    const ValueId set = setter->given_to(name, site);
    const std::optional<Binding> binding = given_when_made(*this, c, base, site.function);
    if (!binding) continue;
    const ValueId v = set.valid() ? instantiate(set, *binding) : set;
    if (v.valid() && (only_once || values_.class_of(v).valid() || values_.diverges(v))) return v;
    // `self.group = None`, until it is made further down, or by a method.
    if (v.valid() && values_[v].kind == ValueKind::None) {
      none = v;
      continue;
    }
    const bool is_known = v.valid() && (values_[v].kind == ValueKind::Group || values_.is_constant(v));
    is_open = is_open || !is_known || (found.valid() && found != v);
    found = v;
  }
  if (is_open) return ValueId{};
  if (found.valid()) return found;
  return none.valid() && !in_methods ? std::optional(none) : std::nullopt;
}

// An attribute that a constructor sets from its arguments, where these are known. Invalid: it is none, or they say
// nothing.
ValueId Query::given_to_constructor(ClassKey c, ValueId base, Symbol name) const {
  if (values_[base].kind != ValueKind::Instance || values_[base].child_count == 0) return {};
  ValueId none;  // what a class begins with before its base sets it
  for (ClassKey k : index_.linearization(c)) {
    const std::optional<ValueId> v = given_to_constructor_of(k, c, base, name);
    if (!v) continue;
    if (!v->valid() || values_[*v].kind != ValueKind::None) return *v;
    none = *v;
  }
  return none;
}

ValueId Query::find_attribute(ValueId base, Symbol name) const {
  const Value value = values_[base];
  const std::string_view text = index_.names().text(name);
  switch (value.kind) {
    case ValueKind::Module: {
      const Entity entity = index_.member({.kind = Entity::Kind::Module, .module = ModuleKey{value.a}}, name);
      const ValueId found = entity_value(entity);
      return !found.valid() && is_launcher_variable(models_, text) ? believed_attribute(base, name) : found;
    }
    case ValueKind::External: {
      if (index_.names().text(Symbol{value.a}).size() > kLongestName) return values_.attribute(base, name);
      const Entity entity = index_.member({.kind = Entity::Kind::External, .name = Symbol{value.a}}, name);
      if (roles().play(index_.names().text(entity.name), Role::HoldsEnvironment))
        return values_.leaf(ValueKind::External, entity.name.index);
      // `rank_zero_only.rank`: what a decorator keeps for all to read.
      const Model* owner = models_.find(index_.names().text(Symbol{value.a}));
      const Model* model =
          owner && owner->kind == ModelKind::GuardDecorator ? models_.find(index_.names().text(entity.name)) : nullptr;
      const ValueId kept = model ? model_attribute(*model, base) : ValueId{};
      return kept.valid() ? kept : entity_value(entity);
    }
    case ValueKind::Group: {
      const ValueId v = attribute_of_group(base, name);
      return v.valid() ? v : values_.attribute(base, name);
    }
    case ValueKind::Conditional: return attribute_of_choice(base, name);
    case ValueKind::Class: return attribute_of_class(base, name);
    case ValueKind::Super: return attribute_of_super(base, name);
    default: break;
  }
  if (const ClassKey c = values_.class_of(base); c.valid()) return attribute_of_object(c, base, name);
  if (const Symbol type = values_.external_type_of(base); type.valid()) {
    const std::string full = std::string(index_.names().text(type)) + "." + std::string(text);
    if (const Model* model = models_.find(full)) {
      if (ValueId v = model_attribute(*model, base); v.valid()) return v;
      return values_.attribute(base, name);
    }
  }
  if (values_.of_unknown_origin(base) || value.kind == ValueKind::LoopPhi) {
    if (const Model* model = models_.find_attribute(last_name(base), text))
      if (ValueId v = model_attribute(*model, base); v.valid()) return v;
    if (const FunctionKey method = method_suggested_by_name(index_, last_name(base), name);
        method.valid() && !flags(method).is_property)
      return method_value(method, base);
    return believed_attribute(base, name);
  }
  return values_.attribute(base, name);
}

}  // namespace ranklint
