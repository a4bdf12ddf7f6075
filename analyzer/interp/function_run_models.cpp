// What a call does of which a model says so.
#include <algorithm>

#include "analyzer/interp/function_run.h"
#include "analyzer/program/given_for.h"
#include "analyzer/variance/leads_to.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

// The object that a call is about whose class is a library's: what is called itself, what its method is called on, or
// what is given to a function of the class. Of a loss that is only known to be the batch's: the model that ran before.
// Invalid: none.
ValueId FunctionRun::object_asked(const Call& call) const {
  if (values_.external_type_of(call.callee).valid()) return call.callee;
  const ValueId receiver = in_.receiver_of(call.callee);
  if (!receiver.valid()) return call.positional.empty() ? ValueId{} : call.positional.front();
  return values_[receiver].of_batch && out_.ran_wrapped.valid() ? out_.ran_wrapped : receiver;
}

// The group that an object was made with: the world as long as nothing says that it was made with another.
ValueId FunctionRun::group_of_object(ValueId object) {
  const bool is_known = !object.valid() || (values_[object].kind == ValueKind::Opaque && !values_[object].child_count);
  return is_known ? values_.group(AxisSet{.world = true, .axes = {}})
                  : derive(values_, index_, Derived::GroupOf, {{object}});
}

// The group that a call is given, or a mesh in its place; invalid: none.
ValueId FunctionRun::group_given(const Model& model, const Call& call) {
  for (const ArgumentSpec& spec : {model.group.argument, model.group.or_argument})
    if (const ValueId given = argument(call, spec); given.valid() && values_[given].kind != ValueKind::None)
      return given;
  return {};
}

// What a call gives of which only the model's word for it is known, and the group that it was made with, if it was
// given one.
ValueId FunctionRun::made_by_model(const Model& model, const Call& call) {
  const ValueId given = model.instance.empty() ? ValueId{} : group_given(model, call);
  if (!given.valid()) return opaque(type_made(model));
  return values_.node(ValueKind::Opaque, {{derive(values_, index_, Derived::MadeWith, {{given}})}}, here().index, 0, 0,
                      ir::Operator::None, type_made(model));
}

// The group that a call is about: the one it is given, or what stands for none.
ValueId FunctionRun::group_of(const Model& model, const Call& call, ValueId receiver) {
  if (const ValueId given = group_given(model, call); given.valid()) return given;
  switch (model.group.otherwise) {
    case GroupSpec::Otherwise::World: break;
    case GroupSpec::Otherwise::Receiver:
      if (receiver.valid()) return receiver;
      break;
    case GroupSpec::Otherwise::OfReceiver: return group_of_object(object_asked(call));
    case GroupSpec::Otherwise::Axes: return values_.group(in_.axes_of(model.group.axes));
    case GroupSpec::Otherwise::Unknown: return opaque();
  }
  return values_.group(AxisSet{.world = true, .axes = {}});
}

// What a rank alone sees there, in words. Ranks that look for one file find it or miss it together, most of the time;
// those that look for a file each, by their number or by what else is their own, do not, nor do those that look for one
// on a disk of each node's own.
std::string_view FunctionRun::seen_alone(const Model& model, const Call& call, ValueId receiver) const {
  const auto is_own = [&](ValueId v) {
    if (!v.valid()) return false;
    if (!values_.variance(v).empty()) return true;
    if (!values_[v].local) return false;
    const LocalSource named_after = local_source(values_, index_, v);
    return named_after != LocalSource::FileSystem && named_after != LocalSource::Batch;
  };
  // By what the path begins with, on whatever side of a choice.
  const auto begins_on_node = [&](ValueId path) {
    while (values_[path].kind == ValueKind::Pure || values_[path].kind == ValueKind::Binary) {
      if (values_[path].child_count == 0) return false;
      path = values_.child(path, 0);
    }
    return values_[path].kind == ValueKind::Text &&
           suggests(index_.names().text(Symbol{values_[path].a}), NameMeaning::NodeFolder);
  };
  const auto lies_on_node = [&](ValueId v) {
    return v.valid() && std::ranges::all_of(values_.leaves_of(v), begins_on_node);
  };
  if (local_source_named(model.op) == LocalSource::FileSystem) {
    if (is_own(receiver) || std::ranges::any_of(call.positional, is_own)) return kOwnFile;
    if (lies_on_node(receiver) || std::ranges::any_of(call.positional, lies_on_node)) return kNodeFile;
  }
  return model.op.empty() ? "what this rank alone sees" : std::string_view(model.op);
}

// Ranks are set up in the runs that matter. But who may set them up further down, and on the way here has neither done
// so nor communicated, may find that they are not: one answer in the whole function.
ValueId FunctionRun::asked_whether_set_up(const Model& model) {
  if (!model.conditional) return values_.boolean(true);
  const auto has_communicated = [&](ir::BlockId b) {
    return std::ranges::any_of(out_.blocks[b.index].steps, [](const Step& step) { return step.event.has_value(); });
  };
  for (ir::BlockId b = block_; b.valid(); b = out_.graph().dominator(b))
    if (has_communicated(b)) return values_.boolean(true);
  if (!in_.program().set_ups().may_follow(key_, block_, out_.graph())) return values_.boolean(true);
  const SiteId site = in_.intern_site({key_, ir::BlockId{0}, 0, 0, Site::Why::SetUp});
  return values_.leaf(ValueKind::Opaque, site.index);
}

ValueId FunctionRun::apply_model(const Model& model, const Call& call, Environment& env, const SourceRange& range,
                                 const ir::Instruction* i) {
  bool unknown = false;
  for (const ArgumentCondition& condition : model.when)
    if (!condition_holds(condition, call, unknown)) return made_by_model(model, call);
  const ValueId receiver = in_.receiver_of(call.callee);
  const ValueId group = group_of(model, call, receiver);
  switch (model.kind) {
    case ModelKind::Collective:
    case ModelKind::GroupCreate:
    case ModelKind::Setup: return apply_collective(model, call, group, env, range, i);
    case ModelKind::Uniformizer: make_uniform(i, env); return opaque();
    case ModelKind::RankSource:
    case ModelKind::SizeSource:
    case ModelKind::RankPredicate: return asked_coordinate(model, call, group);
    case ModelKind::GroupSource:
      if (!model.axes.empty()) return values_.group(in_.axes_of(model.axes));
      // An object made for a group stands for it.
      if (model.same_members) return group;
      // mesh.get_group("dp"), mesh["dp"]: the argument says which; without one the receiver itself.
      if (argument(call, model.group.argument).valid())
        return values_.with_type(values_.node(ValueKind::Subscript, {{receiver.valid() ? receiver : opaque(), group}}),
                                 type_made(model));
      if (receiver.valid() && model.group.otherwise == GroupSpec::Otherwise::Receiver) return receiver;
      return opaque();
    case ModelKind::LocalSource:
      if (i && reads_own_state(model, *i)) return opaque();
      return values_.local(seen_alone(model, call, receiver), here().index);
    case ModelKind::Initialized: return asked_whether_set_up(model);
    case ModelKind::RootSource: return opaque();
    case ModelKind::GuardContext:
      if (model.shape == GuardShape::CallArgument && !call.positional.empty())
        add_step(range).call.callee =
            values_.node(ValueKind::Guarded, {{call.positional[0], in_.coordinate_value(model, {})}});
      // A rank that enters meets the others between the first rank's turn and theirs, or after what the first was given
      // to do.
      if (model.shape != GuardShape::FirstOnly && !model.op.empty()) {
        Step& step = add_step(range);
        step.event = Event{.model = &model, .group = group, .root = {}, .ranks = {}};
        step.call = call;
      }
      return opaque();
    case ModelKind::Teardown:
      // After the end of the default group there are no ranks left to wait for.
      if (!argument(call, model.group.argument).valid() && model.group.otherwise == GroupSpec::Otherwise::World)
        add_step(range).ending = Ending::Communication;
      return opaque();
    case ModelKind::PointToPoint: {
      const ValueId made = opaque();
      Step& step = add_aside(range);
      step.transfer = &model;
      step.call = call;
      step.made = made;
      return made;
    }
    case ModelKind::Wait:
    case ModelKind::Environment:
    case ModelKind::GuardDecorator: return opaque();
    case ModelKind::Pure: return {};
    case ModelKind::Class: return {};
  }
  return {};
}

// The type of what a modelled call makes, whether it communicates or not. 0: the model states none.
uint32_t FunctionRun::type_made(const Model& model) const {
  return model.instance.empty() ? 0 : ValueStore::type_of_external(index_.intern(model.instance));
}

// Whether the handle of what the call only posts goes into a part of something, and not into a variable of this
// function.
bool FunctionRun::keeps_handle(const Model& model, const ir::Instruction& i) const {
  if (!model.handle.present()) return false;
  const ir::ExprId given = given_for(f_, ir_, i, model.handle.position, model.handle.keyword);
  return given.valid() &&
         (f_.exprs[given].kind == ir::ExprKind::Attribute || f_.exprs[given].kind == ir::ExprKind::Subscript);
}

// The result of a reduction that implies something about each rank's own operand. Invalid: it implies nothing.
ValueId FunctionRun::reduced(const Model& model, const Call& call) {
  const RoleEntry* gives = in_.roles().find(in_.callee_path(call.callee), Role::GivesReduced);
  const ValueId own = gives ? argument(call, gives->argument) : ValueId{};
  const ValueId way = own.valid() ? argument(call, model.reduce_op) : ValueId{};
  if (!way.valid() || model.tensor.position < 0) return {};
  const std::string name = in_.callee_path(way);
  const bool when_true = in_.roles().play(name, Role::TrueForAll);
  if (!when_true && !in_.roles().play(name, Role::FalseForAll)) return {};
  // The buffers come back after what the call returns.
  const std::array<ValueId, 3> parts{own, values_.integer(model.tensor.position + 1), values_.boolean(when_true)};
  return values_.node(ValueKind::Opaque, {{derive(values_, index_, Derived::ImpliesOwn, parts)}}, here().index, 0, 0,
                      ir::Operator::None, type_made(model));
}

ValueId FunctionRun::apply_collective(const Model& model, const Call& call, ValueId group, Environment& env,
                                      const SourceRange& range, const ir::Instruction* i) {
  if (model.about == ModelAbout::Wrapper && is_given_loaders_alone(call, i)) return opaque();
  Event event;
  event.model = &model;
  event.group = group;
  event.root = argument(call, model.root);
  event.ranks = argument(call, model.ranks);
  event.keeps_handle = i && keeps_handle(model, *i);
  Step& step = add_step(range);
  step.event = event;
  step.call = call;
  if (model.about == ModelAbout::Forward) {
    out_.ran_wrapped = object_asked(call);
    if (const ValueId own = made_of_batch(call); own.valid()) return own;
    std::vector<ValueId> parts = may_bring_batch(call);
    if (values_[group].kind != ValueKind::Group) parts.push_back(derive(values_, index_, Derived::MadeWith, {{group}}));
    if (!parts.empty())
      return values_.node(ValueKind::Opaque, parts, here().index, 0, 0, ir::Operator::None, type_made(model));
  }
  const ValueId shared = shared_by_color(model, call, group);
  // What it fills, as written.
  const bool fills = i && model.fills_tensor && ir_.has(ir::Convention::SharesObjects);
  const ir::ExprId buffer = fills ? given_for(f_, ir_, *i, model.tensor.position, model.tensor.keyword) : ir::ExprId{};
  note_broadcast(model, buffer, env);
  if (model.fills_tensor || model.result_uniform) make_uniform(i, env);
  forget_batch(buffer, env);
  if (shared.valid()) return shared;
  if (const ValueId flag = reduced(model, call); flag.valid()) return flag;
  return model.kind == ModelKind::GroupCreate ? made_group(model, call, event, i) : made_by_model(model, call);
}

// The axis of a group that is made at this place.
Axis FunctionRun::axis_made_here(AxisKind kind, Symbol name) {
  return {kind, name, values_.leaf(ValueKind::Opaque, here().index)};
}

// A group with an axis of its own, known by its member list.
ValueId FunctionRun::made_group(const Model& model, const Call& call, const Event& creation, const ir::Instruction* i) {
  const ValueId group = creation.group;
  // Where the model names the rank in the new group (`color`), a copy is one whose rank is that of `group`.
  if (model.same_members && model.color.present()) {
    const ValueId own = argument(call, model.color);
    const std::optional<AxisSet> axes = in_.resolve_group(group, Unknown::Nothing);
    return own.valid() && axes && own == values_.coordinate(*axes) ? group : opaque(type_made(model));
  }
  if (model.same_members) return model.op.starts_with("comm_dup") ? copy_of_world(call, group) : group;
  std::string_view name;
  if (i && i->target.valid() && f_.exprs[i->target].kind == ir::ExprKind::Name)
    name = ir_.text(f_.exprs[i->target].symbol);
  const bool has_name = !name.empty() && !SymbolTable::is_unnamed(name);
  if (const ValueId color = argument(call, model.color); color.valid()) {
    AxisSet own;
    own.add(axis_made_here(AxisKind::NamedGroup, index_.intern(has_name ? name : "the new group")));
    return values_.node(ValueKind::Group, {{derive(values_, index_, Derived::OfColor, {{color}})}},
                        values_.intern(own).index);
  }
  if (!creation.ranks.valid() && model.op == "new_group" && !call.open_ended)
    return values_.group(AxisSet{.world = true, .axes = {}});
  if (!creation.ranks.valid() || values_.diverges(creation.ranks)) return made_by_model(model, call);
  AxisSet own;
  own.add(axis_made_here(has_name ? AxisKind::NamedGroup : AxisKind::NamelessGroup,
                         has_name ? index_.intern(name) : Symbol()));
  return values_.node(ValueKind::Group, {{creation.ranks}}, values_.intern(own).index);
}

// A rank, a size, or whether this is a certain rank, in the group that the call is about or that the model names.
ValueId FunctionRun::asked_coordinate(const Model& model, const Call& call, ValueId group) {
  const ValueId given = argument(call, model.group.argument);
  const bool asked = model.group.argument.present() && given.valid() && values_[given].kind != ValueKind::None;
  const bool of_receiver = in_.counts_in_receiver(model, group);
  // A "local rank" of the project that has to be given something is given its group.
  const bool relative = model.axes == std::vector<std::string>{"local"} && !model.group.argument.present();
  if (relative && call.positional.size() == 1 && in_.demands_argument(call.callee))
    group = call.positional[0];
  else if (!asked && !of_receiver)
    group = {};
  const ValueId coordinate = in_.coordinate_value(model, group);
  if (model.op != "rank_and_size" && model.op != "size_and_rank") return coordinate;
  const ValueId size = values_.leaf(ValueKind::Size, values_.intern(in_.axes_of(model.axes)).index);
  return model.op == "rank_and_size" ? values_.node(ValueKind::Tuple, {{coordinate, size}})
                                     : values_.node(ValueKind::Tuple, {{size, coordinate}});
}

// `event.is_set()`, `queue.empty()` of what the program itself sets and fills.
bool FunctionRun::reads_own_state(const Model& model, const ir::Instruction& i) const {
  const size_t dot = model.name.rfind('.');
  const bool kept_by_threads =
      dot != model.name.npos && in_.roles().play(model.name.substr(0, dot), Role::SharedByThreads);
  if (!kept_by_threads || i.kind != ir::InstructionKind::Call || f_.exprs[i.value].kind != ir::ExprKind::Attribute)
    return false;
  return in_.program().other_threads().leave_alone(key_, ir::children(f_, i.value)[0]);
}

// A rank and what is computed of it are numbers: a callee cannot change its argument. Where numbers are passed by
// reference, to be filled, that holds for the rank itself only.
bool FunctionRun::is_passed_by_value(ValueId v) const {
  return !leads_to(v, [&](ValueId part, std::vector<ValueId>& next) {
    switch (values_[part].kind) {
      case ValueKind::Coordinate: return false;
      case ValueKind::Believed:
      case ValueKind::RankIn:
      case ValueKind::SizeIn:
      case ValueKind::Size:
      case ValueKind::Integer:
      case ValueKind::Bool: return !ir_.has(ir::Convention::NumbersAreValues);
      case ValueKind::Unary:
      case ValueKind::Binary:
      case ValueKind::And:
      case ValueKind::Or: add_parts(next, values_.children(part)); return !ir_.has(ir::Convention::NumbersAreValues);
      default: return true;
    }
  });
}

// What a callee cannot change of a choice between something and None: which of them it is. Invalid: it is no such
// choice.
//     writer = SummaryWriter(folder) if rank == 0 else None
//     train(model, writer)
ValueId FunctionRun::choice_of_nothing(ValueId v) {
  if (!ir_.has(ir::Convention::NumbersAreValues) || values_[v].kind != ValueKind::Conditional) return {};
  bool has_none = false;
  const auto side = [&](ValueId given) {
    const bool is_none = values_[given].kind == ValueKind::None;
    const ValueId choice = choice_of_nothing(given);
    has_none = has_none || is_none || choice.valid();
    if (is_none || choice.valid()) return is_none ? given : choice;
    return values_.diverges(given) || values_[given].of_batch ? opaque(values_[given].type) : given;
  };
  const ValueId yes = side(values_.child(v, 1)), no = side(values_.child(v, 2));
  return has_none ? values_.conditional(values_.child(v, 0), yes, no) : ValueId{};
}

// After a collective its arguments are the same on all ranks of the group. Places are what can be followed: a
// variable, an attribute, the parts of a list written in place.
void FunctionRun::make_place_uniform(ir::ExprId e, Environment& env) {
  const ir::Expr& expr = f_.exprs[e];
  switch (expr.kind) {
    case ir::ExprKind::Name:
    case ir::ExprKind::Attribute: {
      const ValueId old = evaluate(e, env);
      // A list of what a parameter holds, handed to `broadcast_object_list`: callers may have had different things.
      const bool holds_given = values_[old].kind == ValueKind::Tuple && !values_[old].closed;
      if (!values_.diverges(old) && !values_[old].of_batch && !holds_given) break;
      if (expr.kind == ir::ExprKind::Name && is_passed_by_value(old)) break;
      const ValueId choice = expr.kind == ir::ExprKind::Name ? choice_of_nothing(old) : ValueId{};
      const ValueId made = choice.valid() ? choice : opaque(values_[old].type);
      if (expr.kind == ir::ExprKind::Name)
        env.set(Environment::key(index_.name(module_, expr.symbol)), made);
      else
        env.set(Environment::key(evaluate(ir::children(f_, e)[0], env), index_.name(module_, expr.symbol)), made);
      break;
    }
    case ir::ExprKind::Tuple:
    case ir::ExprKind::List:
    case ir::ExprKind::Subscript:
    case ir::ExprKind::Starred:
      for (ir::ExprId child : ir::children(f_, e)) make_place_uniform(child, env);
      break;
    default: break;
  }
}

// The copy of a communicator of all ranks: the same members, and an order of its own. Copies of others go by their
// originals.
ValueId FunctionRun::copy_of_world(const Call& call, ValueId group) {
  const std::optional<AxisSet> axes = group.valid() ? in_.resolve_group(group, Unknown::Nothing) : std::nullopt;
  if (!axes || !axes->world) return group;
  std::string name = "a copy of `world`";
  if (instruction_ < f_.blocks[block_].instructions.size()) {
    const ir::Instruction& made = f_.blocks[block_].instructions[instruction_];
    const auto given = ir::arguments(f_, made);
    const bool is_filled = ir_.has(ir::Convention::FillsArguments) && call.positional.size() > 1 && given.size() > 1;
    const ir::ExprId copy = is_filled ? given[1].value : made.target;
    if (copy.valid() && f_.exprs[copy].kind == ir::ExprKind::Name && !SymbolTable::is_temporary(f_.exprs[copy].symbol))
      name = ir_.text(f_.exprs[copy].symbol);
  }
  return values_.group({.world = true, .axes = {axis_made_here(AxisKind::NamedGroup, index_.intern(name))}});
}

// A broadcast on a group made by colour: each colour has what its own root had before. Invalid: it is none, or all had
// the same.
ValueId FunctionRun::shared_by_color(const Model& model, const Call& call, ValueId group) {
  if (!ir_.has(ir::Convention::FillsArguments) || !model.root.present() || !model.fills_tensor ||
      model.tensor.position < 0 || !group.valid())
    return {};
  if (values_[group].kind != ValueKind::Group || values_[group].child_count != 1) return {};
  const ValueId members = values_.child(group, 0), buffer = argument(call, model.tensor),
                root = argument(call, model.root);
  const bool colored = derived_of(values_, index_, members) == Derived::OfColor;
  if (!colored || !buffer.valid() || !root.valid() || !values_.diverges(buffer) || !values_.diverges(members))
    return {};
  std::vector<ValueId> parts(static_cast<size_t>(model.tensor.position) + 2, opaque());
  parts.back() = derive(values_, index_, Derived::FromRoot, {{buffer, values_.child(members, 0), root}});
  return values_.node(ValueKind::Tuple, parts);
}

void FunctionRun::make_uniform(const ir::Instruction* i, Environment& env) {
  if (!i) return;
  for (const ir::Argument& a : ir::arguments(f_, *i)) make_place_uniform(a.value, env);
}

// What a call gives whose result comes back through an argument: a tuple of what it returns and of its arguments' last
// values, as a frontend reads it.
ValueId FunctionRun::through_argument(const Model& model, ValueId result) {
  if (model.result.position < 0) return result;
  std::vector<ValueId> parts{opaque()};
  for (int i = 0; i < model.result.position; ++i) parts.push_back(opaque());
  parts.push_back(result);
  return values_.node(ValueKind::Tuple, parts);
}

}  // namespace ranklint
