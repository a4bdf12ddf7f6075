// What a call does: models first, then builtins, then bodies; unknown otherwise.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "analyzer/base/among.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/dealt_out.h"
#include "analyzer/summary/entries.h"
#include "analyzer/summary/function_run.h"
#include "analyzer/summary/given.h"
#include "analyzer/summary/tensors.h"
#include "analyzer/variance/reals.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

// Builtins whose result follows from their arguments alone, divergence included.
constexpr std::string_view kPure[] = {"len", "range", "min", "max", "abs", "sum", "any", "all", "sorted", "list", "tuple",
                                      "set", "enumerate", "zip", "reversed", "divmod", "round", "frozenset",
                                      "torch.distributed.get_backend", "torch.cuda.device_count"};
// Wrappers that show how far an iteration is; what they hand out is what they were given.
constexpr std::string_view kProgressBars[] = {"tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.std.tqdm", "tqdm.rich.tqdm", "tqdm.asyncio.tqdm",
                                              "tqdm.notebook.tqdm", "tqdm.autonotebook.tqdm", "tqdm.contrib.logging.tqdm",
                                              "rich.progress.track", "iter"};
constexpr std::string_view kIdentity[] = {"int", "bool", "float", "str"};
constexpr std::string_view kLeaving[] = {"sys.exit", "exit", "quit", "os._exit", "os.abort", "pytest.fail", "pytest.skip", "pytest.exit"};

bool literal_is(const ValueStore& values, const SymbolTable& names, ValueId v, std::string_view literal) {
  const Value& value = values[v];
  if (literal == "none" || literal == "None") return value.kind == ValueKind::None;
  if (literal == "true" || literal == "True") return value.kind == ValueKind::Bool && value.a;
  if (literal == "false" || literal == "False") return value.kind == ValueKind::Bool && !value.a;
  int64_t i;
  if (values.integer_of(v, i)) return std::to_string(i) == literal;
  if (double number; values.number_of(v, number)) return read_real(literal) == number;
  if (value.kind == ValueKind::Text) {
    if (literal.size() >= 2 && (literal.front() == '\'' || literal.front() == '"')) literal = literal.substr(1, literal.size() - 2);
    return names.text(Symbol{value.a}) == literal;
  }
  return false;
}

// `int("3")`, `float("inf")`, `str(8)`, `bool(0.0)` of a constant. Invalid: it stays what it is, or is not known.
ValueId converted(ValueStore& values, const ProjectIndex& index, std::string_view type, ValueId v) {
  const std::string_view written = values[v].kind == ValueKind::Text ? index.names().text(Symbol{values[v].a}) : std::string_view();
  double number = 0;
  const bool is_number = values.number_of(v, number);
  if (type == "str") return is_number && values[v].kind != ValueKind::Bool ? values.text(index.spell(values.describe(v))) : ValueId{};
  if (type == "bool") return values.is_constant(v) ? values.boolean(values.truth(v) == ValueStore::Truth::Yes) : ValueId{};
  if (type == "int" && values[v].kind == ValueKind::Real && std::abs(number) < 1e18) return values.integer(static_cast<int64_t>(number));
  if (type == "int" && !written.empty() && written.size() < 18 && written.find_first_not_of("0123456789") == written.npos) return values.integer(std::strtoll(std::string(written).c_str(), nullptr, 10));
  if (type == "float" && !written.empty())
    if (const std::optional<double> read = read_real(written)) return values.real(*read);
  return {};
}

}  // namespace

Step& FunctionRun::add_step(const SourceRange& range) {
  Step step;
  step.site = here();
  step.range = range;
  auto& steps = out_.blocks[block_.index].steps;
  steps.push_back(std::move(step));
  return steps.back();
}

Step& FunctionRun::add_aside(const SourceRange& range) {
  auto& aside = out_.blocks[block_.index].aside;
  aside.push_back({.site = here(), .range = range, .event = {}, .call = {}, .made = {}});
  return aside.back();
}

Call FunctionRun::collect_arguments(const ir::Instruction& i, ValueId callee, Environment& env) {
  Call call;
  call.callee = callee;
  for (const ir::Argument& a : ir::arguments(f_, i)) {
    const ValueId v = evaluate(a.value, env);
    switch (a.kind) {
      case ir::ArgumentKind::Positional:
        call.mixed |= call.star.valid();
        call.positional.push_back(v);
        break;
      case ir::ArgumentKind::Keyword: call.keywords.emplace_back(index_.name(module_, a.keyword), v); break;
      case ir::ArgumentKind::Star:
        if (values_[v].kind == ValueKind::Tuple) {
          for (ValueId part : std::vector<ValueId>(values_.children(v).begin(), values_.children(v).end())) call.positional.push_back(part);
        } else {
          call.mixed |= call.star.valid();
          call.star = v;
          call.open_ended = true;
        }
        break;
      case ir::ArgumentKind::DoubleStar:
        call.mixed |= call.double_star.valid();
        call.double_star = v;
        call.open_ended = true;
        break;
    }
  }
  if (!call.mixed && call.double_star.valid() && Entries(values_, index_).known(call.double_star)) in_.spread_stars(call);
  return call;
}

bool FunctionRun::is_local(ir::ExprId e) const {
  return f_.exprs[e].kind == ir::ExprKind::Name && locals_.count(index_.name(module_, f_.exprs[e].symbol)) != 0;
}

// A dictionary that something may have been done to: what is known of its entries no longer holds.
void FunctionRun::give_up_entries(ir::ExprId e, Environment& env) {
  if (!is_local(e)) return;
  const ValueId before = evaluate(e, env);
  if (is_keywords(before) || (Entries(values_, index_).known(before) && !values_.diverges(before)))
    env.set(Environment::key(index_.name(module_, f_.exprs[e].symbol)), opaque());
}

// `options.update(...)`, and `build(options)` of the project.
void FunctionRun::forget_entries(const ir::Instruction& i, const Call& call, Environment& env) {
  constexpr std::string_view kChanging[] = {"update", "setdefault", "clear", "popitem", "__setitem__"};
  const ir::Expr& callee = f_.exprs[i.value];
  if (callee.kind == ir::ExprKind::Attribute && (among(ir_.text(callee.symbol), kChanging) || ir_.text(callee.symbol) == "pop")) {
    const ir::ExprId object = ir::children(f_, i.value)[0];
    // What is popped of the keywords is still known by its name.
    if (is_local(object) && (ir_.text(callee.symbol) != "pop" || !is_keywords(evaluate(object, env)))) give_up_entries(object, env);
    return;
  }
  for (const ir::Argument& a : ir::arguments(f_, i))
    if (a.kind == ir::ArgumentKind::Positional && is_local(a.value) && Entries(values_, index_).known(evaluate(a.value, env)) &&
        !in_.targets(call.callee).empty())
      give_up_entries(a.value, env);
}

void FunctionRun::run_call(const ir::Instruction& i, Environment& env) {
  const ValueId callee = evaluate(i.value, env);
  const Call call = collect_arguments(i, callee, env);
  const ValueId own = asked_of_selection(i);
  const ValueId result = own.valid() ? own : apply(call, env, i.range, &i);
  forget_entries(i, call, env);
  note_told_type(i, call, env);
  if (i.target.valid()) assign(i.target, result, env);
  if (const ir::ExprId list = grown_list(i); list.valid()) grow(list, call, env);
}

// The variable that `mine.append(x)` and its kin change. Invalid: the call is none of them.
ir::ExprId FunctionRun::grown_list(const ir::Instruction& i) const {
  if (i.kind != ir::InstructionKind::Call || f_.exprs[i.value].kind != ir::ExprKind::Attribute) return {};
  const std::string_view method = ir_.text(f_.exprs[i.value].symbol);
  if (method != "append" && method != "extend" && method != "add") return {};
  const ir::ExprId object = ir::children(f_, i.value)[0];
  return f_.exprs[object].kind == ir::ExprKind::Name ? object : ir::ExprId{};
}

// A list of this function with one more element: which ranks have it follows from who gets here. What it is does not
// matter where the list is asked whether it is empty, so an element that differs between ranks counts as unknown.
void FunctionRun::grow(ir::ExprId list, const Call& call, Environment& env) {
  const uint64_t place = Environment::key(index_.name(module_, f_.exprs[list].symbol));
  const ValueId before = env.get(place);
  if (!before.valid() || !values_.is_list(before) || call.positional.size() != 1) return;
  const ValueId element = values_.diverges(call.positional[0]) ? opaque() : call.positional[0];
  env.set(place, values_.binary(ir::Operator::Add, before, values_.node(ValueKind::Tuple, {{element}})));
}

ValueId FunctionRun::argument(const Call& call, const ArgumentSpec& spec) {
  return in_.argument(call, spec);
}

// Whether the value is what this function takes as `**kwargs`.
bool FunctionRun::is_keywords(ValueId v) const {
  const Value& value = values_[v];
  return value.kind == ValueKind::Parameter && value.a == key_.index && value.b < f_.parameters.size() &&
         f_.parameters[value.b].kind == ir::ParameterKind::DoubleStar;
}

// `await asyncio.to_thread(f, x)` is f(x) as far as ranks are concerned: then the call becomes that one.
bool FunctionRun::runs_elsewhere(Call& call) const {
  const Value& callee = values_[call.callee];
  if (callee.kind != ValueKind::External || index_.names().text(Symbol{callee.a}) != "asyncio.to_thread" || call.positional.empty()) return false;
  call.callee = call.positional.front();
  call.positional.erase(call.positional.begin());
  return true;
}

ValueId FunctionRun::apply(Call call, Environment& env, const SourceRange& range, const ir::Instruction* i) {
  in_.unfold_partial(call);
  if (runs_elsewhere(call)) return apply(std::move(call), env, range, i);
  const Value callee = values_[call.callee];
  switch (callee.kind) {
    // A coordinate read as a property and called, or a model's value called as written.
    case ValueKind::Coordinate:
    case ValueKind::Size:
    case ValueKind::RankIn:
    case ValueKind::SizeIn:
    case ValueKind::Believed:
    case ValueKind::Bool:
    case ValueKind::Group:
    case ValueKind::Binary: return call.callee;
    default: break;
  }
  if (callee.kind == ValueKind::Attribute && call.positional.empty() && call.keywords.empty() && index_.names().text(Symbol{callee.a}) == "wait") {
    Step& step = add_aside(range);
    step.waits = true;
    step.call.positional = {values_.child(call.callee, 0)};
  }
  const Model* known_as = in_.model_of(call.callee);
  if (!known_as) known_as = backward_of_wrapped(call);
  if (i) note_watched(call, known_as, range);
  if (known_as) {
    const ValueId v = apply_model(*known_as, call, env, range, i);
    if (v.valid()) return through_argument(*known_as, v);
  }
  bool known = false;
  if (callee.kind == ValueKind::External) {
    const std::string_view name = index_.names().text(Symbol{callee.a});
    // A C or C++ process that ends without finalising takes the job with it: that is no early exit of one rank.
    if (ir_.language != "cpp" && among(name, kLeaving)) {
      add_step(range).leaves = true;
      return opaque();
    }
    if (ValueId v = apply_builtin(name, call, known); known) return v;
  }
  if (ValueId v = apply_project(call, env, range, known); known) return v;
  if (callee.kind == ValueKind::Parameter || callee.kind == ValueKind::Free) {
    Step& step = add_step(range);  // decided by who calls us
    step.call = call;
    return made_of_arguments(call);
  }
  // functools.partial is a call that waits.
  if (callee.kind == ValueKind::External && last_part(index_.names().text(Symbol{callee.a})) == "partial" && !call.positional.empty())
    return in_.partial_value(call);
  if (const ValueId tensor = make_tensor(values_, index_, call, here()); tensor.valid()) return tensor;
  if (callee.kind == ValueKind::External) {
    const std::string_view last = last_part(index_.names().text(Symbol{callee.a}));
    if (last == "cast" && call.positional.size() == 2 && !call.open_ended) return call.positional[1];  // typing.cast
    // A parameter is the tensor it is made of.
    if (last == "Parameter" && !call.positional.empty() && values_.external_type_of(call.positional[0]).valid()) return call.positional[0];
    if (last == "DataLoader" && !call.positional.empty() && deals_out_unevenly(in_, call.positional[0])) return dealt_out(call.positional[0], callee.a);
    if (!last.empty() && last[0] >= 'A' && last[0] <= 'Z') return opaque(ValueStore::type_of_external(Symbol{callee.a}));
  }
  // `x.to(device)`, `.item()`, `.strip()` of something that differs between ranks differs, when it is a number.
  if (callee.kind == ValueKind::Attribute) {
    const std::string_view name = index_.names().text(Symbol{callee.a});
    const ValueId base = values_.child(call.callee, 0);
    if ((name == "pop" || name == "get") && is_keywords(base) && !call.positional.empty() && values_[call.positional[0]].kind == ValueKind::Text)
      return in_.keyword_of(base, call.positional[0], call.positional.size() > 1 ? call.positional[1] : values_.none());
    if ((name == "item" || name == "copy") && call.positional.empty()) return base;
    const Value& of = values_[base];
    const bool tests_numbers = of.local || ValueStore::looks_for_no_number(function_of(values_, index_, base));
    if (tests_numbers && call.positional.empty() && (name == "any" || name == "all" || name == "sum" || name == "max")) return base;
    if (name == "get" && values_[base].kind == ValueKind::External &&
        index_.names().text(Symbol{values_[base].a}) == "os.environ" && !call.positional.empty() &&
        values_[call.positional[0]].kind == ValueKind::Text)
      if (const Model* model = in_.models_.find_environment(index_.names().text(Symbol{values_[call.positional[0]].a}));
          model && !model->axes.empty())
        return in_.coordinate_value(*model, {});
    // `FSDP(net).to(device)` is still what it was.
    if (values_.external_type_of(base).valid() && among(name, {"to", "cuda", "eval", "train", "half", "float", "bfloat16"})) return base;
    if (keeps_ranks(name) && !values_.diverges(base) && !of.of_batch && of.kind != ValueKind::External && !values_.class_of(base).valid() &&
        (!values_.external_type_of(base).valid() || is_output_of_wrapped(base)))
      return values_.node(ValueKind::Pure, {{base}}, callee.a);
  }
  return made_of_arguments(call);
}

// A loader of a data set of which each rank has every so-many-th sample: `dataset[rank::world]`.
ValueId FunctionRun::dealt_out(ValueId dataset, uint32_t loader) {
  const AxisSet world{.world = true, .axes = {}};
  const ValueId size = values_.leaf(ValueKind::Size, values_.intern(world).index);
  const ValueId turns = values_.node(ValueKind::Pure, {{values_.coordinate(world), values_.none(), size}}, index_.spell("slice").index);
  return values_.with_type(values_.subscript(dataset, turns), ValueStore::type_of_external(Symbol{loader}));
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

ValueId FunctionRun::apply_builtin(std::string_view name, const Call& call, bool& known) {
  known = true;
  if (name == "super") {
    const ClassKey owner = index_.functions()[key_].owner;
    ValueId self = call.positional.size() == 2 ? call.positional[1] : ValueId{};
    if (!self.valid() && !f_.parameters.empty())
      self = values_.leaf(ValueKind::Parameter, key_.index, 0, in_.flags(key_).is_classmethod ? 1 : 0,
                          owner.valid() ? ValueStore::type_of_class(owner) : 0);
    if (owner.valid() && self.valid()) return values_.node(ValueKind::Super, {{self}}, owner.index);
    return opaque();
  }
  if (among(name, kIdentity) && call.positional.size() == 1) {
    const ValueId v = call.positional[0];
    if (const ValueId made = converted(values_, index_, name, v); made.valid()) return made;
    return values_.diverges(v) || values_.is_constant(v) ? v : values_.node(ValueKind::Pure, call.positional, index_.spell(name).index);
  }
  if (among(name, kProgressBars) && call.positional.size() == 1) return call.positional[0];
  if (name == "dict" && call.positional.empty() && !call.open_ended) return Entries(values_, index_).make(call.keywords);
  // torch.isnan, math.isfinite, numpy.isinf
  if (const std::string_view last = last_part(name); last != name && ValueStore::looks_for_no_number(last) && call.positional.size() == 1)
    return values_.node(ValueKind::Pure, call.positional, index_.spell(last).index);
  if (name == "next" && !call.positional.empty() && is_loader_iterator(call.positional[0])) return values_.batch(here().index);
  if (name == "len" && call.positional.size() == 1 && values_[call.positional[0]].kind == ValueKind::Tuple)
    return values_.integer(values_[call.positional[0]].child_count);
  if (among(name, kPure)) return values_.node(ValueKind::Pure, call.positional, index_.spell(name).index);
  if ((name == "getattr" || name == "hasattr") && call.positional.size() >= 2 && values_[call.positional[1]].kind == ValueKind::Text) {
    if (name == "hasattr") return values_.node(ValueKind::Pure, call.positional, index_.spell(name).index);
    const ValueId v = in_.get_attribute(call.positional[0], Symbol{values_[call.positional[1]].a});
    return v.valid() ? v : opaque();
  }
  // typing.cast(T, x): x, of that class where nothing more is known.
  if (name == "typing.cast" && call.positional.size() == 2) {
    const ValueId type = call.positional[0], of = call.positional[1];
    const bool asks_class = values_[type].kind == ValueKind::Class && !values_.class_of(of).valid();
    return asks_class ? values_.with_type(of, ValueStore::type_of_class(ClassKey{values_[type].a})) : of;
  }
  if (name == "isinstance" || name == "issubclass" || name == "callable" || name == "type")
    return values_.pure(index_.spell(name), call.positional);
  if ((name == "os.getenv" || name == "os.environ.get" || name == "getenv" || name == "std.getenv" || name == "secure_getenv") && !call.positional.empty() && values_[call.positional[0]].kind == ValueKind::Text)
    if (const Model* model = in_.models_.find_environment(index_.names().text(Symbol{values_[call.positional[0]].a}));
        model && !model->axes.empty())
      return in_.coordinate_value(*model, {});
  known = false;
  return {};
}

bool FunctionRun::condition_holds(const ArgumentCondition& condition, const Call& call, bool& unknown) {
  const ValueId v = argument(call, condition.argument);
  const std::string& wanted = condition.equals.empty() ? condition.not_equals : condition.equals;
  bool equal;
  if (v.valid()) {
    if (!values_.is_constant(v)) {
      unknown = true;
      return true;
    }
    equal = literal_is(values_, index_.names(), v, wanted);
  } else {
    if (call.open_ended) unknown = true;
    equal = condition.default_value == wanted;
  }
  return equal == !condition.equals.empty();
}

ValueId FunctionRun::apply_model(const Model& model, const Call& call, Environment& env, const SourceRange& range,
                                 const ir::Instruction* i) {
  bool unknown = false;
  // What it makes has its type whether the call communicates or not.
  const uint32_t type = model.instance.empty() ? 0 : ValueStore::type_of_external(index_.spell(model.instance));
  for (const ArgumentCondition& condition : model.when)
    if (!condition_holds(condition, call, unknown)) return opaque(type);
  const ValueId receiver = in_.receiver_of(call.callee);
  ValueId group = argument(call, model.group.argument);
  if (!group.valid() || values_[group].kind == ValueKind::None) {
    switch (model.group.otherwise) {
      case GroupSpec::Otherwise::World: group = values_.group(AxisSet{.world = true, .axes = {}}); break;
      case GroupSpec::Otherwise::Receiver: group = receiver.valid() ? receiver : values_.group(AxisSet{.world = true, .axes = {}}); break;
      case GroupSpec::Otherwise::Axes: group = values_.group(in_.axes_of(model.group.axes)); break;
      case GroupSpec::Otherwise::Unknown: group = opaque(); break;
    }
  }
  switch (model.kind) {
    case ModelKind::Collective:
    case ModelKind::GroupCreate:
    case ModelKind::Setup: {
      Event event;
      event.model = &model;
      event.group = group;
      event.root = argument(call, model.root);
      event.ranks = argument(call, model.ranks);
      Step& step = add_step(range);
      step.event = event;
      step.call = call;
      if (model.about == "forward") {
        ran_wrapped_ = true;
        if (const ValueId own = made_of_batch(call); own.valid()) return own;
      }
      const ValueId shared = shared_by_color(model, call, group);
      // What it fills, as written.
      const bool fills = i && model.fills_tensor && ir_.language == "python";
      const ir::ExprId buffer = fills ? given_for(f_, ir_, *i, model.tensor.position, model.tensor.keyword) : ir::ExprId{};
      note_broadcast(model, buffer, env);
      if (model.fills_tensor || model.result_uniform) make_uniform(i, env);
      forget_batch(buffer, env);
      if (shared.valid()) return shared;
      if (model.kind == ModelKind::GroupCreate) {
        // A group with an axis of its own, known by its member list.
        // Where the model names the rank in the new group (`color`), a copy is one whose rank is that of `group`.
        if (model.same_members && model.color.present()) {
          const ValueId own = argument(call, model.color);
          const std::optional<AxisSet> axes = in_.as_group(group, false);
          return own.valid() && axes && own == values_.coordinate(*axes) ? group : opaque(type);
        }
        if (model.same_members) return model.op.starts_with("comm_dup") ? copy_of_world(call, group) : group;
        if (const ValueId color = argument(call, model.color); color.valid()) {
          AxisSet own;
          own.add(index_.spell("the new group" + std::string(1, kHidden) + std::to_string(here().index)));
          return values_.node(ValueKind::Group, {{values_.node(ValueKind::Pure, {{color}}, index_.spell("<color>").index)}},
                              values_.intern(own).index);
        }
        if (!event.ranks.valid() && model.op == "new_group") return values_.group(AxisSet{.world = true, .axes = {}});
        if (!event.ranks.valid() || values_.diverges(event.ranks)) return opaque(type);
        AxisSet own;
        std::string name = "a group";
        if (i && i->target.valid() && f_.exprs[i->target].kind == ir::ExprKind::Name) name = ir_.text(f_.exprs[i->target].symbol);
        if (name.empty() || name[0] == '%') name = "a group";
        own.add(index_.spell(name + kHidden + std::to_string(here().index)));
        return values_.node(ValueKind::Group, {{event.ranks}}, values_.intern(own).index);
      }
      return opaque(type);
    }
    case ModelKind::Uniformizer: make_uniform(i, env); return opaque();
    case ModelKind::RankSource:
    case ModelKind::SizeSource:
    case ModelKind::RankPredicate: {
      const bool asked = model.group.argument.present() && argument(call, model.group.argument).valid() &&
                         values_[argument(call, model.group.argument)].kind != ValueKind::None;
      const bool of_receiver = model.axes.empty() && model.group.otherwise == GroupSpec::Otherwise::Receiver;
      // A "local rank" of the project that has to be told something is told in which group.
      const bool relative = model.axes == std::vector<std::string>{"local"} && !model.group.argument.present();
      if (relative && call.positional.size() == 1 && in_.demands_argument(call.callee)) group = call.positional[0];
      else if (!asked && !of_receiver) group = {};
      return in_.coordinate_value(model, group);
    }
    case ModelKind::GroupSource:
      if (!model.axes.empty()) return values_.group(in_.axes_of(model.axes));
      // An object made for a group stands for it.
      if (model.same_members) return group;
      // mesh.get_group("dp"), mesh["dp"]: the argument says which; without one the receiver itself.
      if (argument(call, model.group.argument).valid()) return values_.node(ValueKind::Subscript, {{receiver.valid() ? receiver : opaque(), group}});
      if (receiver.valid() && model.group.otherwise == GroupSpec::Otherwise::Receiver) return receiver;
      return opaque();
    case ModelKind::LocalSource:
      if (i && asks_in_step(model, *i)) return opaque();
      return values_.local(model.op.empty() ? "what this rank alone sees" : model.op, here().index);
    case ModelKind::Initialized: return values_.boolean(true);
    case ModelKind::RootSource: return opaque();
    case ModelKind::GuardContext:
      if (model.shape == "call-argument" && !call.positional.empty()) {
        Step& step = add_step(range);
        step.call.callee = values_.node(ValueKind::Guarded, {{call.positional[0], in_.coordinate_value(model, {})}});
        return opaque();
      }
      // Whoever enters meets the others between the first rank's turn and theirs.
      if (model.shape == "first-then-others" && !model.op.empty()) {
        Step& step = add_step(range);
        step.event = Event{.model = &model, .group = group, .root = {}, .ranks = {}};
        step.call = call;
      }
      return opaque();
    case ModelKind::Teardown:
      // Behind the end of the default group nobody is left to wait for.
      if (!argument(call, model.group.argument).valid() && model.group.otherwise == GroupSpec::Otherwise::World) {
        Step& step = add_step(range);
        step.leaves = step.tears_down = true;
      }
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

// `event.is_set()`, `queue.empty()` of what the program itself sets and fills.
bool FunctionRun::asks_in_step(const Model& model, const ir::Instruction& i) const {
  const bool kept_by_threads = model.name.starts_with("queue.") || model.name.starts_with("threading.Event.");
  if (!kept_by_threads || i.kind != ir::InstructionKind::Call || f_.exprs[i.value].kind != ir::ExprKind::Attribute) return false;
  return in_.other_threads().leave_alone(key_, ir::children(f_, i.value)[0]);
}

// A rank and what is computed of it are numbers: whoever is told one can not change it. In C and C++ that holds for the
// rank itself only, as other numbers are handed over by reference to be filled.
bool FunctionRun::is_passed_by_value(ValueId v) const {
  switch (values_[v].kind) {
    case ValueKind::Coordinate: return true;
    case ValueKind::Believed:
    case ValueKind::RankIn:
    case ValueKind::SizeIn:
    case ValueKind::Size:
    case ValueKind::Integer:
    case ValueKind::Bool: return ir_.language == "python";
    case ValueKind::Unary:
    case ValueKind::Binary:
    case ValueKind::And:
    case ValueKind::Or:
      return std::ranges::all_of(values_.children(v), [&](ValueId part) { return ir_.language == "python" && is_passed_by_value(part); });
    default: return false;
  }
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
      const ValueId made = opaque(values_[old].type);
      if (expr.kind == ir::ExprKind::Name) env.set(Environment::key(index_.name(module_, expr.symbol)), made);
      else env.set(Environment::key(evaluate(ir::children(f_, e)[0], env), index_.name(module_, expr.symbol)), made);
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

// The copy of a communicator of all ranks: the same members, and an order of its own. Copies of others go by their originals.
ValueId FunctionRun::copy_of_world(const Call& call, ValueId group) {
  const std::optional<AxisSet> axes = group.valid() ? in_.as_group(group, false) : std::nullopt;
  if (ir_.language != "cpp" || !axes || !axes->world) return group;
  std::string name = "a copy of `world`";
  if (call.positional.size() > 1 && instruction_ < f_.blocks[block_].instructions.size()) {
    const auto given = ir::arguments(f_, f_.blocks[block_].instructions[instruction_]);
    if (given.size() > 1 && f_.exprs[given[1].value].kind == ir::ExprKind::Name) name = ir_.text(f_.exprs[given[1].value].symbol);
  }
  return values_.group({.world = true, .axes = {index_.spell(name + kHidden + std::to_string(here().index))}});
}

// A broadcast on a group made by colour: each colour has what its own root had before. Invalid: it is none, or all had the same.
ValueId FunctionRun::shared_by_color(const Model& model, const Call& call, ValueId group) {
  if (ir_.language != "cpp" || !model.root.present() || !model.fills_tensor || model.tensor.position < 0 || !group.valid()) return {};
  if (values_[group].kind != ValueKind::Group || values_[group].child_count != 1) return {};
  const ValueId members = values_.child(group, 0), buffer = argument(call, model.tensor), root = argument(call, model.root);
  const bool colored = function_of(values_, index_, members) == "<color>";
  if (!colored || !buffer.valid() || !root.valid() || !values_.diverges(buffer) || !values_.diverges(members)) return {};
  std::vector<ValueId> parts(static_cast<size_t>(model.tensor.position) + 2, opaque());
  parts.back() = values_.node(ValueKind::Pure, {{buffer, values_.child(members, 0), root}}, index_.spell("<from root>").index);
  return values_.node(ValueKind::Tuple, parts);
}

void FunctionRun::make_uniform(const ir::Instruction* i, Environment& env) {
  if (!i) return;
  for (const ir::Argument& a : ir::arguments(f_, *i)) make_place_uniform(a.value, env);
}

// What a constructor that is made of a class's fields puts into them.
std::vector<ValueId> FunctionRun::field_arguments(const Call& call, const std::vector<Field>& fields) {
  std::vector<ValueId> arguments;
  for (size_t i = 0; i < fields.size(); ++i) {
    ValueId value = call.open_ended ? ValueId{} : fields[i].default_value;
    if (i < call.positional.size()) value = call.positional[i];
    for (const auto& [keyword, given] : call.keywords)
      if (keyword == fields[i].name) value = given;
    arguments.push_back(value.valid() ? value : opaque());
  }
  return arguments;
}

ValueId FunctionRun::apply_project(const Call& call, Environment& env, const SourceRange& range, bool& known) {
  // A constructor makes an object even where no __init__ is written.
  ValueId made;
  const Value callee = values_[call.callee];
  if (callee.kind == ValueKind::Class || (callee.kind == ValueKind::Parameter && callee.c == 1 && values_.class_of(call.callee).valid())) {
    const ClassKey c = callee.kind == ValueKind::Class ? ClassKey{callee.a} : values_.class_of(call.callee);
    std::vector<ValueId> arguments;
    const FunctionKey init = index_.find_method(c, index_.spell("__init__"));
    if (!init.valid()) arguments = field_arguments(call, in_.fields(c));
    if (init.valid()) {
      const Target target{.function = init, .receiver = values_.leaf(ValueKind::Instance, c.index), .captures = {}, .guard = {}};
      arguments = in_.bind(target, call, 0).parameters;
      if (!arguments.empty()) arguments.erase(arguments.begin());
    }
    made = callee.kind == ValueKind::Class ? values_.node(ValueKind::Instance, arguments, c.index)
                                           : opaque(ValueStore::type_of_class(c));
    note_made(made);
    known = true;
  }
  const std::vector<Target> targets = in_.targets(call.callee);
  if (targets.empty()) {
    if (known) return made;
    if (callee.kind == ValueKind::Attribute || callee.kind == ValueKind::External || callee.kind == ValueKind::Global)
      ++in_.unresolved_calls_;
    return {};
  }
  known = true;
  if (in_.is_context_manager(targets[0].function)) {
    // Nothing runs until it is entered.
    std::vector<ValueId> parts{values_.text(index_.spell("<context manager>")), call.callee};
    parts.insert(parts.end(), call.positional.begin(), call.positional.end());
    return values_.node(ValueKind::Partial, parts);
  }
  bool communicates = false;
  ValueId result;
  bool agree = true;
  const std::vector<Held> held = held_by(env);
  for (const Target& target : targets) {
    const Summary* s = in_.summary(target.function);
    if (!s) {
      agree = false;
      continue;
    }
    communicates |= s->communicates;
    const SiteId site = in_.intern_site({key_, block_, instruction_, part_});
    Binding binding = in_.bind(target, call, in_.extend_path(0, site));
    binding.held = held;
    if (!made.valid() && targets.size() == 1) take_changes(*s, binding, target.guard, env);
    ValueId v = s->result.valid() ? in_.instantiate(s->result, binding) : opaque();
    if (target.guard.valid()) v = values_.conditional(target.guard, v, values_.none());
    if (!result.valid()) result = v;
    else agree &= result == v;
  }
  Step& step = add_step(range);
  step.call = call;
  step.call.held = held;
  // What a function that communicates was given is equal now, as far as we can follow.
  if (communicates && instruction_ < f_.blocks[block_].instructions.size()) make_uniform(&f_.blocks[block_].instructions[instruction_], env);
  if (made.valid()) return made;
  if (!result.valid()) return opaque();
  if (agree && values_[result].kind == ValueKind::Opaque && !communicates)
    return made_of_unknown(call, result);
  if (agree) return result;
  const ClassKey c = values_.class_of(result);
  return opaque(c.valid() ? ValueStore::type_of_class(c) : 0);
}

// What `with` binds of a context that stands for nothing: `profile() if rank == 0 else nullcontext()` gives the other ranks None.
ValueId FunctionRun::bound_of(ValueId context) {
  const Value value = values_[context];
  if (value.kind == ValueKind::Conditional) {
    const ValueId yes = bound_of(values_.child(context, 1)), no = bound_of(values_.child(context, 2));
    return values_.conditional(values_.child(context, 0), yes, no);
  }
  return is_null_context(context) ? values_.none() : context;
}

// Whether it was made by `contextlib.nullcontext()`, which hands nothing on.
bool FunctionRun::is_null_context(ValueId context) const {
  const Value value = values_[context];
  if (value.kind != ValueKind::Opaque || value.b) return false;
  const Site& made = in_.site(SiteId{value.a});
  const ir::Function& code = index_.function(made.function);
  const auto& instructions = code.blocks[made.block].instructions;
  if (made.instruction >= instructions.size()) return false;
  const ir::Instruction& call = instructions[made.instruction];
  return call.kind == ir::InstructionKind::Call && ir::arguments(code, call).empty() &&
         index_.dotted(index_.functions()[made.function].module, code, call.value) == "contextlib.nullcontext";
}

void FunctionRun::enter_with(const ir::Instruction& i, Environment& env) {
  const ValueId context = evaluate(i.value, env);
  ValueId bound = i.target.valid() ? bound_of(context) : context;
  const Value value = values_[context];
  if (value.kind == ValueKind::Partial && value.child_count && values_[values_.child(context, 0)].kind == ValueKind::Text) {
    // A generator-based context manager that was called: run it up to its yield.
    Step& step = add_step(i.range);
    entered_[context.index] = step.site;
    step.call.callee = values_.child(context, 1);
    step.call.part = Call::Part::UntilYield;
    step.call.implicit = true;
    for (ValueId argument : values_.children(context).subspan(2)) step.call.positional.push_back(argument);
    bound = opaque();
  } else if (const ClassKey c = values_.class_of(context); c.valid()) {
    if (const FunctionKey enter = index_.find_method(c, index_.spell("__enter__")); enter.valid()) {
      Call call;
      call.callee = values_.node(ValueKind::Bound, {{context}}, enter.index);
      call.implicit = true;
      if (ValueId v = apply(call, env, i.range, nullptr); v.valid() && values_[v].kind != ValueKind::Opaque) bound = v;
    }
  }
  if (i.target.valid()) assign(i.target, bound, env);
}

void FunctionRun::exit_with(const ir::Instruction& i, Environment& env) {
  const ValueId context = evaluate(i.value, env);
  const Value value = values_[context];
  if (value.kind == ValueKind::Partial && value.child_count && values_[values_.child(context, 0)].kind == ValueKind::Text) {
    Step& step = add_step(i.range);
    // What the body learned up to its yield holds behind it.
    if (auto entered = entered_.find(context.index); entered != entered_.end()) step.site = entered->second;
    step.call.callee = values_.child(context, 1);
    step.call.part = Call::Part::BehindYield;
    step.call.implicit = true;
    for (ValueId argument : values_.children(context).subspan(2)) step.call.positional.push_back(argument);
  } else if (const ClassKey c = values_.class_of(context); c.valid()) {
    if (const FunctionKey exit = index_.find_method(c, index_.spell("__exit__")); exit.valid()) {
      Call call;
      call.callee = values_.node(ValueKind::Bound, {{context}}, exit.index);
      call.implicit = true;
      call.open_ended = true;
      apply(call, env, i.range, nullptr);
    }
  }
}

}  // namespace ranklint
