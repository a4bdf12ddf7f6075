#include "analyzer/summary/interpreter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/summary/function_run.h"
#include "analyzer/variance/beliefs.h"

namespace ranklint {
namespace {

constexpr int kDeepestLookup = 24;
constexpr int kMostLookups = 2000;

std::string_view tail(std::string_view dotted) {
  const size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

}  // namespace

Interpreter::Interpreter(const ProjectIndex& index, const Models& models, int deepest_call)
    : index_(index), models_(models), values_(index), deepest_call_(deepest_call) {
  summaries_.resize(index.functions().size());
  state_.assign(index.functions().size(), 0);
  flags_.resize(index.functions().size());
  find_actors();
  // Annotations and `global` assignments by what they are about.
  for (uint32_t m = 0; m < index.modules().size(); ++m) {
    const ir::Module& module = index.modules()[ModuleKey{m}];
    for (const ir::Annotation& a : module.annotations) {
      const FunctionKey f = index.key(ModuleKey{m}, a.function);
      const ir::Expr& target = index.function(f).exprs[a.target];
      const Symbol name = index.name(ModuleKey{m}, target.symbol);
      const FunctionInfo& info = index.functions()[f];
      if (target.kind == ir::ExprKind::Attribute && info.owner.valid())
        annotations_[{info.owner.index, name.index}].push_back({f, a.annotation});
      if (target.kind == ir::ExprKind::Name && index.function(f).kind == ir::FunctionKind::ClassBody) {
        for (uint32_t c = 0; c < module.classes.size(); ++c)
          if (module.classes[ir::ClassId{c}].body == a.function)
            annotations_[{index.key(ModuleKey{m}, ir::ClassId{c}).index, name.index}].push_back({f, a.annotation});
      }
    }
  }
  for (uint32_t f = 0; f < index.functions().size(); ++f) {
    const FunctionKey key{f};
    const ir::Function& function = index.function(key);
    if (function.globals.empty()) continue;
    const ModuleKey module = index.functions()[key].module;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      const ir::Block& block = function.blocks[ir::BlockId{b}];
      for (uint32_t i = 0; i < block.instructions.size(); ++i) {
        const ir::ExprId target = block.instructions[i].target;
        if (!target.valid() || function.exprs[target].kind != ir::ExprKind::Name) continue;
        const Symbol symbol = function.exprs[target].symbol;
        if (std::find(function.globals.begin(), function.globals.end(), symbol) == function.globals.end()) continue;
        global_assignments_[{module.index, index.name(module, symbol).index}].push_back({key, ir::BlockId{b}, i});
      }
    }
  }
}

const Summary* Interpreter::summary(FunctionKey f) {
  if (state_[f.index] == 2) return summaries_[f.index].get();
  if (state_[f.index] == 1 || depth_ >= deepest_call_) return nullptr;
  state_[f.index] = 1;
  ++depth_;
  const FunctionKey caller = std::exchange(running_, f);
  summaries_[f.index] = std::make_unique<Summary>(FunctionRun(*this, f).run());
  running_ = caller;
  --depth_;
  state_[f.index] = 2;
  if (values_.cut() != cut_seen_) note_limit(f);
  cut_seen_ = values_.cut();
  return summaries_[f.index].get();
}

SiteId Interpreter::intern_site(const Site& site) {
  auto [place, added] = site_ids_.emplace(site, SiteId{static_cast<uint32_t>(sites_.size())});
  if (added) sites_.push_back(site);
  return place->second;
}

uint32_t Interpreter::extend_path(uint32_t path, SiteId site) {
  auto [place, added] = paths_.emplace(std::pair{path, site.index}, static_cast<uint32_t>(paths_.size() + 1));
  return place->second;
}

const Interpreter::Flags& Interpreter::flags(FunctionKey f) {
  Flags& flags = flags_[f.index];
  if (flags.known) return flags;
  flags.known = true;
  const ir::Function& function = index_.function(f);
  const ModuleKey module = index_.functions()[f].module;
  for (ir::ExprId decorator : function.decorators) {
    ir::ExprId e = decorator;
    if (function.exprs[e].kind == ir::ExprKind::Call) e = ir::children(function, e)[0];
    const std::string name = index_.dotted(module, function, e);
    const std::string_view last = tail(name);
    flags.is_property |= last == "property" || last == "cached_property" || last == "lazy_property";
    flags.is_classmethod |= last == "classmethod";
    flags.is_static |= last == "staticmethod";
    flags.is_context_manager |= last == "contextmanager" || last == "asynccontextmanager";
    flags.is_abstract |= last == "abstractmethod";
  }
  const std::string_view name = index_.modules()[module].text(function.name);
  flags.is_classmethod |= name == "__init_subclass__" || name == "__class_getitem__";
  return flags;
}

bool Interpreter::is_context_manager(FunctionKey f) { return flags(f).is_context_manager; }
bool Interpreter::is_property(FunctionKey f) { return flags(f).is_property; }

// Names that a nested function uses without binding them and that an enclosing function binds.
const std::vector<Symbol>& Interpreter::free_names(FunctionKey f) {
  static const std::vector<Symbol> kNone;
  if (auto found = free_names_.find(f.index); found != free_names_.end()) return found->second;
  const FunctionInfo& info = index_.functions()[f];
  if (!info.parent.valid() || !free_in_progress_.insert(f).second) return kNone;
  std::set<Symbol> used, bound;
  auto collect = [&](FunctionKey key, std::set<Symbol>& names_used, std::set<Symbol>& names_bound) {
    const ir::Function& function = index_.function(key);
    const ModuleKey module = index_.functions()[key].module;
    auto bind = [&](auto&& self, ir::ExprId target) -> void {
      if (!target.valid()) return;
      const ir::Expr& e = function.exprs[target];
      if (e.kind == ir::ExprKind::Name) names_bound.insert(index_.name(module, e.symbol));
      if (e.kind == ir::ExprKind::Tuple || e.kind == ir::ExprKind::List || e.kind == ir::ExprKind::Starred)
        for (ir::ExprId part : ir::children(function, target)) self(self, part);
    };
    for (const ir::Parameter& p : function.parameters) names_bound.insert(index_.name(module, p.name));
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& i : block.instructions)
        if (i.kind != ir::InstructionKind::Delete) bind(bind, i.target);
      bind(bind, block.terminator.target);
    }
    for (Symbol s : function.globals) names_bound.insert(index_.name(module, s));
    for (Symbol s : function.nonlocals) names_bound.erase(index_.name(module, s));
    for (const ir::Expr& e : function.exprs) {
      if (e.kind == ir::ExprKind::Name) names_used.insert(index_.name(module, e.symbol));
      if (e.kind == ir::ExprKind::Function)
        for (Symbol s : free_names(index_.key(module, ir::FunctionId{e.index}))) names_used.insert(s);
    }
  };
  collect(f, used, bound);
  std::set<Symbol> outer;
  for (FunctionKey p = info.parent; p.valid(); p = index_.functions()[p].parent) {
    const ir::FunctionKind kind = index_.function(p).kind;
    if (kind == ir::FunctionKind::Module) break;
    if (kind == ir::FunctionKind::ClassBody) continue;
    std::set<Symbol> ignored, names;
    // Only what the parent binds; its uses would ask for this function again.
    const ir::Function& function = index_.function(p);
    const ModuleKey module = index_.functions()[p].module;
    for (const ir::Parameter& parameter : function.parameters) names.insert(index_.name(module, parameter.name));
    for (const ir::Block& block : function.blocks) {
      auto bind = [&](auto&& self, ir::ExprId target) -> void {
        if (!target.valid()) return;
        const ir::Expr& e = function.exprs[target];
        if (e.kind == ir::ExprKind::Name) names.insert(index_.name(module, e.symbol));
        if (e.kind == ir::ExprKind::Tuple || e.kind == ir::ExprKind::List || e.kind == ir::ExprKind::Starred)
          for (ir::ExprId part : ir::children(function, target)) self(self, part);
      };
      for (const ir::Instruction& i : block.instructions) bind(bind, i.target);
      bind(bind, block.terminator.target);
    }
    outer.insert(names.begin(), names.end());
  }
  std::vector<Symbol> free;
  for (Symbol s : used)
    if (!bound.count(s) && outer.count(s)) free.push_back(s);
  free_in_progress_.erase(f);
  return free_names_[f.index] = std::move(free);
}

std::string_view Interpreter::class_name(ClassKey c) const {
  return index_.modules()[index_.classes()[c].module].text(index_.klass(c).name);
}

std::string_view Interpreter::last_name(ValueId v) {
  const Value& value = values_[v];
  const SymbolTable& names = index_.names();
  switch (value.kind) {
    case ValueKind::Attribute: return names.text(Symbol{value.a});
    case ValueKind::Global:
    case ValueKind::Free: return names.text(Symbol{value.b});
    case ValueKind::External: return tail(names.text(Symbol{value.a}));
    case ValueKind::Parameter: {
      const FunctionKey f{value.a};
      const auto& parameters = index_.function(f).parameters;
      if (value.b >= parameters.size()) return {};
      return index_.modules()[index_.functions()[f].module].text(parameters[value.b].name);
    }
    case ValueKind::Believed: return last_name(values_.child(v, 0));
    case ValueKind::Module: return tail(index_.modules()[ModuleKey{value.a}].name);
    default: return {};
  }
}

std::string Interpreter::model_name(FunctionKey f) const {
  return index_.modules()[index_.functions()[f].module].name + "." + std::string(index_.qualified_name(f));
}

AxisSet Interpreter::axes_of(const std::vector<std::string>& names) {
  AxisSet set;
  for (const std::string& name : names)
    if (name == "world") set.add(AxisSet{.world = true, .axes = {}});
    else set.add(index_.spell(name));
  return set;
}

// ---- what names mean ------------------------------------------------------------------------------------

ValueId Interpreter::entity_value(const Entity& entity) {
  switch (entity.kind) {
    case Entity::Kind::Nothing: return {};
    case Entity::Kind::Module: return values_.leaf(ValueKind::Module, entity.module.index);
    case Entity::Kind::Function: return function_value(entity.function);
    case Entity::Kind::Class: return values_.leaf(ValueKind::Class, entity.klass.index);
    case Entity::Kind::Variable: return global_value(entity.module, entity.name);
    case Entity::Kind::External: {
      const std::string_view name = index_.names().text(entity.name);
      const Model* model = models_.find(name);
      if (model && model->kind == ModelKind::GroupSource && tail(name) == "WORLD") return values_.group(axes_of(model->axes));
      return values_.leaf(ValueKind::External, entity.name.index);
    }
  }
  return {};
}

ValueId Interpreter::function_value(FunctionKey f, std::vector<ValueId> captures) {
  if (captures.empty())
    if (auto found = decorated_.find(f.index); found != decorated_.end()) return found->second;
  const bool closed = captures.empty();
  ValueId plain = values_.node(ValueKind::Function, captures, f.index);
  if (index_.function(f).decorators.empty()) return plain;
  if (const Model* model = models_.find(model_name(f)); model && is_primitive(*model)) return plain;
  if (closed) decorated_[f.index] = plain;  // what a decorator sees when it asks for the name again
  // Arguments of decorators are decorated functions in their turn.
  if (depth_ >= deepest_call_) return plain;
  ++depth_;
  const ValueId value = decorate(f, plain);
  --depth_;
  if (closed) decorated_[f.index] = value;
  return value;
}

// Applies decorators from the inside out: rank guards become conditions, the project's own are called.
ValueId Interpreter::decorate(FunctionKey f, ValueId value) {
  const ir::Function& function = index_.function(f);
  const ModuleKey module = index_.functions()[f].module;
  for (auto it = function.decorators.rbegin(); it != function.decorators.rend(); ++it) {
    const bool called = function.exprs[*it].kind == ir::ExprKind::Call;
    const ir::ExprId name = called ? ir::children(function, *it)[0] : *it;
    const Entity entity = index_.resolve(module, function, name);
    const std::string written = index_.dotted(module, function, name);
    std::string full = written;
    if (entity.kind == Entity::Kind::External) full = index_.names().text(entity.name);
    if (entity.kind == Entity::Kind::Function) full = model_name(entity.function);
    const Model* model = models_.find(full);
    if (!model) model = models_.find_attribute("", tail(written));
    if (model && model->kind == ModelKind::GuardDecorator) {
      const ValueId guard = coordinate_value(*model, {});
      value = values_.node(ValueKind::Guarded, {{value, guard}});
      continue;
    }
    if (entity.kind != Entity::Kind::Function) continue;
    ValueId decorator = values_.leaf(ValueKind::Function, entity.function.index);
    auto apply = [&](ValueId callee, std::vector<ValueId> arguments) -> ValueId {
      const Value& v = values_[callee];
      if (v.kind != ValueKind::Function) return {};
      const FunctionKey key{v.a};
      const Summary* made = summary(key);
      if (!made || !made->result.valid()) return {};
      Call call;
      call.callee = callee;
      call.positional = std::move(arguments);
      Target target{.function = key, .receiver = {}, .captures = {values_.children(callee).begin(), values_.children(callee).end()}, .guard = {}};
      return instantiate(made->result, bind(target, call, 0));
    };
    if (called) {
      std::vector<ValueId> arguments;
      for (ir::ExprId a : ir::children(function, *it).subspan(1))
        if (function.exprs[a].kind != ir::ExprKind::Keyword) arguments.push_back(static_value(module, function, a));
      const ValueId made = apply(decorator, std::move(arguments));
      if (!made.valid()) continue;
      decorator = made;
    }
    const ValueId wrapped = apply(decorator, {value});
    if (wrapped.valid() && (values_[wrapped].kind == ValueKind::Function || values_[wrapped].kind == ValueKind::Guarded ||
                            values_[wrapped].kind == ValueKind::Partial))
      value = wrapped;
  }
  return value;
}

ValueId Interpreter::static_value(ModuleKey module, const ir::Function& f, ir::ExprId e) {
  const ir::Expr& expr = f.exprs[e];
  const ir::Module& ir = index_.modules()[module];
  switch (expr.kind) {
    case ir::ExprKind::None: return values_.none();
    case ir::ExprKind::True: return values_.boolean(true);
    case ir::ExprKind::False: return values_.boolean(false);
    case ir::ExprKind::String: return values_.text(index_.name(module, expr.symbol));
    case ir::ExprKind::Integer: return values_.integer(std::strtoll(std::string(ir.text(expr.symbol)).c_str(), nullptr, 10));
    case ir::ExprKind::Unary:
      if (expr.op == ir::Operator::Negate) return values_.unary(expr.op, static_value(module, f, ir::children(f, e)[0]));
      break;
    case ir::ExprKind::Function:
      return values_.leaf(ValueKind::Function, index_.key(module, ir::FunctionId{expr.index}).index);
    case ir::ExprKind::Name:
    case ir::ExprKind::Attribute:
      if (ValueId v = entity_value(index_.resolve(module, f, e)); v.valid()) return v;
      break;
    default: break;
  }
  return values_.leaf(ValueKind::Global, module.index, index_.spell("<default>").index);
}

// Of several assignments the one that says something: None and placeholders give way to a group, an object or
// a coordinate; where two say different things nothing is known but that.
ValueId Interpreter::join_assignments(const std::vector<ValueId>& found, ValueId fallback) {
  ValueId best;
  bool several = false;
  uint32_t type = 0;
  for (ValueId v : found) {
    if (!v.valid() || values_[v].kind == ValueKind::None) continue;
    if (const ClassKey c = values_.class_of(v); c.valid()) type = ValueStore::type_of_class(c);
    else if (values_[v].type) type = values_[v].type;
    if (!values_[v].closed || v == fallback) continue;
    if (best.valid() && best != v) {
      const bool old_says = values_.diverges(best) || values_[best].kind == ValueKind::Group;
      const bool new_says = values_.diverges(v) || values_[v].kind == ValueKind::Group;
      if (old_says == new_says) several = true;
      if (new_says && !old_says) best = v;
      continue;
    }
    best = v;
  }
  if (best.valid() && !several && !(values_.is_constant(best) && found.size() > 1)) {
    if (values_.is_constant(best) && values_[best].kind == ValueKind::Bool) return values_.with_type(fallback, type);
    return best;
  }
  return values_.with_type(fallback, type);
}

ValueId Interpreter::global_value(ModuleKey module, Symbol name) {
  const std::pair key{module.index, name.index};
  if (auto found = globals_.find(key); found != globals_.end()) return found->second;
  ValueId fallback = values_.leaf(ValueKind::Global, module.index, name.index);
  globals_[key] = fallback;  // what is found when the assignment asks for itself
  std::vector<ValueId> found;
  if (const Summary* top = summary(index_.key(module, ir::FunctionId{0})))
    if (auto value = top->final_names.find(name); value != top->final_names.end()) found.push_back(value->second);
  if (auto sites = global_assignments_.find(key); sites != global_assignments_.end())
    for (const AttributeSite& site : sites->second)
      if (const Summary* setter = summary(site.function))
        if (auto value = setter->attribute_values.find({site.block.index, site.instruction, name});
            value != setter->attribute_values.end())
          found.push_back(value->second);
  // A constant that another function changes is no constant.
  if (global_assignments_.count(key)) std::erase_if(found, [&](ValueId v) { return v.valid() && values_.is_constant(v); });
  const ir::Function& top = index_.modules()[module].functions[ir::FunctionId{0}];
  for (const ir::Annotation& a : index_.modules()[module].annotations)
    if (a.function.index == 0 && top.exprs[a.target].kind == ir::ExprKind::Name &&
        index_.name(module, top.exprs[a.target].symbol) == name)
      fallback = values_.with_type(fallback, annotation_type(module, top, a.annotation));
  ValueId value = join_assignments(found, fallback);
  // A module-level group variable ("_TP_GROUP", "_SEQUENCE_PARALLEL_GROUP") that functions fill.
  if (values_[value].kind == ValueKind::Global)
    if (const auto belief = belief_about(index_.names().text(name)))
      value = values_.node(ValueKind::Believed, {{value}}, values_.intern(axes_of({std::string(belief->axis)})).index,
                           static_cast<uint32_t>(belief->kind));
  return globals_[key] = value;
}

bool Interpreter::has_constant_default(FunctionKey f, uint32_t parameter) const {
  const ir::Function& function = index_.function(f);
  const ir::ExprId value = function.parameters[parameter].default_value;
  if (!value.valid()) return false;
  const ir::ExprKind kind = function.exprs[value].kind;
  return kind == ir::ExprKind::True || kind == ir::ExprKind::False;
}

uint32_t Interpreter::annotation_type(ModuleKey module, const ir::Function& f, ir::ExprId annotation) {
  if (!annotation.valid()) return 0;
  const ir::Expr& e = f.exprs[annotation];
  switch (e.kind) {
    case ir::ExprKind::String: {
      // A forward reference: its name, looked up in the module.
      std::string text(index_.modules()[module].text(e.symbol));
      if (const size_t bar = text.find(" |"); bar != text.npos) text.resize(bar);
      if (text.starts_with("Optional[") && text.ends_with("]")) text = text.substr(9, text.size() - 10);
      Entity entity;
      size_t from = 0;
      while (from <= text.size()) {
        const size_t dot = std::min(text.find('.', from), text.size());
        const Symbol part = index_.names().find(std::string_view(text).substr(from, dot - from));
        if (!part.valid()) return 0;
        entity = from == 0 ? index_.lookup(module, part) : index_.member(entity, part);
        from = dot + 1;
      }
      if (entity.kind == Entity::Kind::Class) return ValueStore::type_of_class(entity.klass);
      if (entity.kind == Entity::Kind::External) return ValueStore::type_of_external(entity.name);
      return 0;
    }
    case ir::ExprKind::Name:
    case ir::ExprKind::Attribute: {
      const Entity entity = index_.resolve(module, f, annotation);
      if (entity.kind == Entity::Kind::Class) return ValueStore::type_of_class(entity.klass);
      if (entity.kind == Entity::Kind::External) return ValueStore::type_of_external(entity.name);
      return 0;
    }
    case ir::ExprKind::Subscript: {
      const std::string base = index_.dotted(module, f, ir::children(f, annotation)[0]);
      if (tail(base) == "Optional") return annotation_type(module, f, ir::children(f, annotation)[1]);
      if (tail(base) == "Union") {
        const ir::ExprId inner = ir::children(f, annotation)[1];
        if (f.exprs[inner].kind == ir::ExprKind::Tuple)
          for (ir::ExprId part : ir::children(f, inner))
            if (uint32_t type = annotation_type(module, f, part)) return type;
      }
      return 0;
    }
    case ir::ExprKind::Binary:  // X | None
      for (ir::ExprId part : ir::children(f, annotation))
        if (uint32_t type = annotation_type(module, f, part)) return type;
      return 0;
    default: return 0;
  }
}

uint32_t Interpreter::captured_type(FunctionKey f, Symbol name) {
  for (FunctionKey outer = index_.functions()[f].parent; outer.valid(); outer = index_.functions()[outer].parent) {
    const FunctionInfo& info = index_.functions()[outer];
    const ir::Function& function = index_.function(outer);
    for (uint32_t p = 0; p < function.parameters.size(); ++p) {
      if (index_.name(info.module, function.parameters[p].name) != name) continue;
      if (p > 0 || !info.owner.valid() || flags(outer).is_static) return annotation_type(info.module, function, function.parameters[p].annotation);
      return flags(outer).is_classmethod ? 0 : ValueStore::type_of_class(info.owner);
    }
  }
  return 0;
}

uint32_t Interpreter::attribute_annotation(ClassKey c, Symbol name) {
  const std::pair key{c.index, name.index};
  if (auto found = attribute_types_.find(key); found != attribute_types_.end()) return found->second;
  uint32_t type = 0;
  for (ClassKey base : index_.linearization(c)) {
    auto found = annotations_.find({base.index, name.index});
    if (found == annotations_.end()) continue;
    for (const auto& [f, annotation] : found->second)
      if (!type) type = annotation_type(index_.functions()[f].module, index_.function(f), annotation);
    if (type) break;
  }
  return attribute_types_[key] = type;
}

// ---- attributes -------------------------------------------------------------------------------------------

ValueId Interpreter::method_value(FunctionKey f, ValueId receiver) {
  const Flags& is = flags(f);
  const ValueId function = function_value(f);
  if (is.is_static) return function;
  const Value& v = values_[function];
  if (v.kind == ValueKind::Function && v.a == f.index && v.child_count == 0)
    return values_.node(ValueKind::Bound, {{receiver}}, f.index);
  return values_.node(ValueKind::Partial, {{function, receiver}});
}

ValueId Interpreter::coordinate_value(const Model& model, ValueId group) {
  ValueId coordinate, size;
  AxisSet axes = axes_of(model.axes);
  if (group.valid()) {
    if (auto known = as_group(group, false)) axes = *known;
    else {
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

// A model found for an attribute that is read, not called: a property of an accelerator, a group, a state.
ValueId Interpreter::model_attribute(const Model& model, ValueId receiver) {
  if (model.group.argument.present()) return {};  // a method: the call says which group
  switch (model.kind) {
    case ModelKind::RankSource:
    case ModelKind::SizeSource:
    case ModelKind::RankPredicate: {
      const bool of_receiver = model.group.otherwise == GroupSpec::Otherwise::Receiver && model.axes.empty();
      return coordinate_value(model, of_receiver ? receiver : ValueId{});
    }
    case ModelKind::GroupSource:
      if (model.axes.empty() && model.group.otherwise == GroupSpec::Otherwise::Receiver) return receiver;
      return model.axes.empty() ? ValueId{} : values_.group(axes_of(model.axes));
    case ModelKind::Initialized: return values_.boolean(true);
    default: return {};
  }
}

ValueId Interpreter::attribute_of_group(ValueId base, Symbol name) {
  const std::string_view text = index_.names().text(name);
  for (std::string_view owner : {"x.GroupCoordinator.", "torch.distributed.ProcessGroup.", "torch.distributed.device_mesh.DeviceMesh."})
    if (const Model* model = models_.find(std::string(owner) + std::string(text)))
      if (ValueId v = model_attribute(*model, base); v.valid()) return v;
  if (text == "device_group" || text == "cpu_group" || text == "process_group" || text == "group") return base;
  return {};
}

ValueId Interpreter::believed_attribute(ValueId base, Symbol name) {
  const ValueId plain = values_.attribute(base, name);
  const auto belief = belief_about(index_.names().text(name));
  if (!belief) return plain;
  return values_.node(ValueKind::Believed, {{plain}}, values_.intern(axes_of({std::string(belief->axis)})).index,
                      static_cast<uint32_t>(belief->kind));
}

ValueId Interpreter::class_attribute(ClassKey c, Symbol name, ValueId base) {
  const std::pair key{c.index, name.index};
  if (auto found = class_attributes_.find(key); found != class_attributes_.end()) {
    if (!found->second.valid()) return {};
    return found->second;
  }
  class_attributes_[key] = ValueId{};
  std::vector<ValueId> found;
  bool assigned = false;
  for (ClassKey k : index_.linearization(c)) {
    const ClassInfo& info = index_.classes()[k];
    if (auto sites = info.attributes.find(name); sites != info.attributes.end())
      for (const AttributeSite& site : sites->second) {
        assigned = true;
        if (const Summary* setter = summary(site.function))
          if (auto value = setter->attribute_values.find({site.block.index, site.instruction, name});
              value != setter->attribute_values.end())
            found.push_back(value->second);
      }
    if (const Summary* body = summary(index_.key(info.module, index_.klass(k).body)))
      if (auto value = body->final_names.find(name); value != body->final_names.end()) {
        // A class-level constant that instances overwrite is only a default.
        if (!(assigned && values_.is_constant(value->second))) found.push_back(value->second);
      }
  }
  (void)base;
  const ValueId marker = values_.leaf(ValueKind::Global, UINT32_MAX, name.index);
  ValueId joined = join_assignments(found, marker);
  if (values_[joined].kind == ValueKind::Global && values_[joined].a == UINT32_MAX && values_[joined].type == 0) joined = {};
  // Only flags that several methods write are more than constants.
  return class_attributes_[key] = joined;
}

ValueId Interpreter::get_attribute(ValueId base, Symbol name) {
  // A property may be written in terms of itself on another object, and so on without end.
  // One that is written in terms of two others doubles with each level, so that levels alone are no bound.
  if (lookups_ == 0) lookup_budget_ = kMostLookups;
  if (lookups_ >= kDeepestLookup || lookup_budget_ == 0) return values_.attribute(base, name);
  if (--lookup_budget_ == 0 && running_.valid()) note_limit(running_);
  ++lookups_;
  const ValueId found = find_attribute(base, name);
  --lookups_;
  return found;
}

ValueId Interpreter::find_attribute(ValueId base, Symbol name) {
  const Value value = values_[base];
  const std::string_view text = index_.names().text(name);
  switch (value.kind) {
    case ValueKind::Module: {
      const Entity entity = index_.member({.kind = Entity::Kind::Module, .module = ModuleKey{value.a}}, name);
      return entity_value(entity);
    }
    case ValueKind::External: {
      const Entity entity = index_.member({.kind = Entity::Kind::External, .name = Symbol{value.a}}, name);
      const std::string_view full = index_.names().text(entity.name);
      if (full == "os.environ") return values_.leaf(ValueKind::External, entity.name.index);
      return entity_value(entity);
    }
    case ValueKind::Group:
      if (ValueId v = attribute_of_group(base, name); v.valid()) return v;
      return values_.attribute(base, name);
    case ValueKind::Conditional: {
      const ValueId condition = values_.child(base, 0), yes = values_.child(base, 1), no = values_.child(base, 2);
      const bool none_yes = values_[yes].kind == ValueKind::None, none_no = values_[no].kind == ValueKind::None;
      if (none_yes) return get_attribute(no, name);
      if (none_no) return get_attribute(yes, name);
      if (!values_.is_small_choice(base)) return values_.attribute(base, name);
      const ValueId a = get_attribute(yes, name), b = get_attribute(no, name);
      return a.valid() && b.valid() ? values_.conditional(condition, a, b) : values_.attribute(base, name);
    }
    case ValueKind::Class: {
      const ClassKey c{value.a};
      if (FunctionKey method = index_.find_method(c, name); method.valid()) {
        if (flags(method).is_classmethod) return method_value(method, base);
        return function_value(method);
      }
      // The members of an enumeration are distinct constants.
      for (std::string_view kind : {"Enum", "IntEnum", "StrEnum"})
        if (index_.derives_from_external(c, kind))
          return values_.text(index_.spell(std::string(class_name(c)) + "." + std::string(text)));
      if (ValueId v = class_attribute(c, name, base); v.valid()) return v;
      return values_.attribute(base, name);
    }
    case ValueKind::Super: {
      const ClassKey c{value.a};
      const ValueId self = values_.child(base, 0);
      for (ClassKey k : index_.linearization(c)) {
        if (k == c) continue;
        const auto& methods = index_.classes()[k].methods;
        if (auto found = methods.find(name); found != methods.end()) {
          if (flags(found->second).is_static) return function_value(found->second);
          // Exactly this method: an overriding one is what called it.
          return values_.node(ValueKind::Partial, {{function_value(found->second), self}});
        }
      }
      return values_.attribute(base, name);
    }
    default: break;
  }
  if (const ClassKey c = values_.class_of(base); c.valid()) {
    // A model may know the class by name, whatever module defines it. What has to be told more is not known yet.
    const FunctionKey told = index_.find_method(c, name);
    const bool waits = told.valid() && demands_argument(values_.node(ValueKind::Bound, std::array{base}, told.index));
    if (!waits) for (ClassKey k : index_.linearization(c)) {
      const ir::Module& module = index_.modules()[index_.classes()[k].module];
      const std::string full = module.name + "." + std::string(module.text(index_.klass(k).qualified_name)) + "." + std::string(text);
      if (const Model* model = models_.find(full))
        if (ValueId v = model_attribute(*model, base); v.valid()) return v;
      for (Symbol external : index_.classes()[k].external_bases)
        if (const Model* model = models_.find(std::string(index_.names().text(external)) + "." + std::string(text)))
          if (ValueId v = model_attribute(*model, base); v.valid()) return v;
    }
    if (FunctionKey method = index_.find_method(c, name); method.valid()) {
      if (!flags(method).is_property) {
        if (flags(method).is_classmethod) {
          ValueId owner = value.kind == ValueKind::Instance ? values_.leaf(ValueKind::Class, value.a) : base;
          return method_value(method, owner);
        }
        return method_value(method, base);
      }
      // A property: what it returns, with the object put in.
      // One that has no body of its own says nothing: a subclass does.
      const bool empty = flags(method).is_abstract ||
                         (index_.function(method).blocks.size() == 1 && index_.function(method).blocks[ir::BlockId{0}].instructions.empty() &&
                          !index_.function(method).blocks[ir::BlockId{0}].terminator.value.valid());
      if (empty) return believed_attribute(base, name);
      if (const Summary* getter = summary(method); getter && getter->result.valid()) {
        Call call;
        Target target{.function = method, .receiver = base, .captures = {}, .guard = {}};
        return instantiate(getter->result, bind(target, call, 0));
      }
      return believed_attribute(base, name);
    }
    if (ValueId v = class_attribute(c, name, base); v.valid() && values_[v].kind != ValueKind::Global) {
      // A placeholder under a telling name (`self.rank = -1`) is filled in somewhere else.
      if (values_.is_constant(v) && belief_about(text)) return believed_attribute(base, name);
      return v;
    }
    else if (v.valid() && values_[v].type)
      return values_.with_type(values_.attribute(base, name), values_[v].type);
    // An attribute set from an argument of the constructor whose value is known.
    if (value.kind == ValueKind::Instance && value.child_count)
      if (FunctionKey init = index_.find_method(c, index_.spell("__init__")); init.valid())
        if (const Summary* made = summary(init)) {
          for (ClassKey k : index_.linearization(c)) {
            const auto& attributes = index_.classes()[k].attributes;
            auto sites = attributes.find(name);
            if (sites == attributes.end()) continue;
            for (const AttributeSite& site : sites->second) {
              if (site.function != init) continue;
              auto set = made->attribute_values.find({site.block.index, site.instruction, name});
              if (set == made->attribute_values.end() || !set->second.valid()) continue;
              Binding binding{.function = init, .parameters = {base}, .captures = {}, .path = 0, .memo = {}};
              for (ValueId child : values_.children(base)) binding.parameters.push_back(child);
              const ValueId v = instantiate(set->second, binding);
              if (values_[v].kind == ValueKind::Group || values_.class_of(v).valid() || values_.diverges(v) || values_.is_constant(v))
                return v;
            }
          }
        }
    if (uint32_t type = attribute_annotation(c, name)) {
      const ValueId v = believed_attribute(base, name);
      return values_.with_type(v, type);
    }
    return believed_attribute(base, name);
  }
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
    return believed_attribute(base, name);
  }
  return values_.attribute(base, name);
}

// ---- groups -----------------------------------------------------------------------------------------------

std::optional<AxisSet> Interpreter::as_group(ValueId v, bool settle) {
  AxisSet world{.world = true, .axes = {}};
  if (!v.valid()) return world;
  const Value value = values_[v];
  switch (value.kind) {
    case ValueKind::None: return world;
    case ValueKind::Group: return values_.axes(AxesId{value.a});
    case ValueKind::Conditional: {
      // `group or default`: whatever side is a group; both the same where they agree.
      const ValueId yes = values_.child(v, 1), no = values_.child(v, 2);
      if (values_[yes].kind == ValueKind::None) return as_group(no, settle);
      if (values_[no].kind == ValueKind::None) return as_group(yes, settle);
      if (!values_.is_small_choice(v)) break;
      const auto a = as_group(yes, false), b = as_group(no, false);
      if (a && b && *a == *b) return a;
      break;
    }
    case ValueKind::Or:
      return as_group(values_.child(v, value.child_count - 1), settle);
    case ValueKind::External: {
      const std::string_view name = index_.names().text(Symbol{value.a});
      if (tail(name) == "WORLD") return world;
      break;
    }
    case ValueKind::Text: {
      AxisSet set;
      set.add(index_.spell(canonical_axis(index_.names().text(Symbol{value.a}))));
      return set;
    }
    case ValueKind::Subscript: {
      // mesh["dp"]: one dimension of a mesh.
      const ValueId key = values_.child(v, 1);
      if (values_[key].kind == ValueKind::Text) return as_group(key, settle);
      break;
    }
    case ValueKind::Attribute: {
      const std::string_view name = index_.names().text(Symbol{value.a});
      const ValueId base = values_.child(v, 0);
      if (name == "device_group" || name == "cpu_group" || name == "process_group")
        if (auto inner = as_group(base, false)) return inner;
      break;
    }
    default: break;
  }
  if (const std::string_view axes = axis_in_group_name(last_name(v)); !axes.empty() && (settle || values_[v].closed || value.kind == ValueKind::Attribute)) {
    if (axes == "world") return world;
    AxisSet set;
    for (size_t from = 0; from <= axes.size();) {
      const size_t dash = std::min(axes.find('-', from), axes.size());
      set.add(index_.spell(axes.substr(from, dash - from)));
      from = dash + 1;
    }
    return set;
  }
  if (!settle) return std::nullopt;
  AxisSet own;
  const std::string text = spell(v);
  own.add(index_.spell((text.empty() ? "a group" : text) + kHidden + values_.describe(v)));
  return own;
}

Certainty Interpreter::group_certainty(ValueId v) {
  if (!v.valid()) return Certainty::Certain;
  switch (values_[v].kind) {
    case ValueKind::None:
    case ValueKind::Group:
    case ValueKind::External: return Certainty::Certain;
    case ValueKind::Text:
    case ValueKind::Subscript: return Certainty::High;
    default: return as_group(v, false) ? Certainty::High : Certainty::Likely;
  }
}

// ---- putting values into terms ------------------------------------------------------------------------------

ValueId Interpreter::instantiate(ValueId v, const Binding& binding) {
  const Value value = values_[v];
  if (value.closed) return v;
  if (auto found = binding.memo.find(v.index); found != binding.memo.end()) return found->second;
  const std::vector<ValueId> old(values_.children(v).begin(), values_.children(v).end());
  std::vector<ValueId> children;
  for (ValueId child : old) children.push_back(instantiate(child, binding));
  ValueId made = v;
  switch (value.kind) {
    case ValueKind::Parameter:
      if (value.a == binding.function.index && value.b < binding.parameters.size() && binding.parameters[value.b].valid())
        made = binding.parameters[value.b];
      break;
    case ValueKind::Free: {
      const auto& names = free_names(binding.function);
      if (value.a != binding.function.index) break;
      for (size_t i = 0; i < names.size() && i < binding.captures.size(); ++i)
        if (names[i].index == value.b && binding.captures[i].valid()) made = binding.captures[i];
      break;
    }
    case ValueKind::Opaque:
    case ValueKind::Local:
    case ValueKind::Caught:
      // A term learned here, on this call; one that came in from elsewhere keeps its path.
      if (value.b == 0 && binding.path) made = values_.leaf(value.kind, value.a, binding.path, value.c, value.type);
      break;
    case ValueKind::Element:
    case ValueKind::LoopPhi:
    case ValueKind::Tensor:
      made = values_.node(value.kind, children, value.a, value.b == 0 ? binding.path : value.b, value.c, value.op, value.type);
      break;
    case ValueKind::Believed:
      made = values_.of_unknown_origin(children[0]) ? values_.node(value.kind, children, value.a, value.b) : children[0];
      break;
    case ValueKind::RankIn:
    case ValueKind::SizeIn:
      if (auto axes = as_group(children[0], false)) {
        made = value.kind == ValueKind::RankIn ? values_.coordinate(*axes)
                                               : values_.leaf(ValueKind::Size, values_.intern(*axes).index);
      } else {
        made = values_.node(value.kind, children);
      }
      break;
    case ValueKind::Attribute: made = values_.with_type(get_attribute(children[0], Symbol{value.a}), value.type); break;
    case ValueKind::Unary: made = values_.unary(value.op, children[0]); break;
    case ValueKind::Binary: made = values_.binary(value.op, children[0], children[1]); break;
    case ValueKind::And:
    case ValueKind::Or: made = values_.conjunction(value.kind == ValueKind::And, children); break;
    case ValueKind::Pure:
      made = asks_keyword(v) ? keyword_of(children[0], children[1], children[2]) : values_.pure(Symbol{value.a}, children);
      break;
    case ValueKind::Conditional: made = values_.conditional(children[0], children[1], children[2]); break;
    case ValueKind::Subscript: made = values_.with_type(values_.subscript(children[0], children[1]), value.type); break;
    case ValueKind::Bound: {
      // The receiver may be more exact now: an override replaces the method.
      const FunctionKey f{value.a};
      if (const ClassKey c = values_.class_of(children[0]); c.valid() || values_[children[0]].kind == ValueKind::Class) {
        const ClassKey exact = c.valid() ? c : ClassKey{values_[children[0]].a};
        const FunctionKey method = index_.find_method(exact, index_.name(index_.functions()[f].module, index_.function(f).name));
        if (method.valid() && method != f) {
          made = method_value(method, children[0]);
          break;
        }
      }
      made = values_.node(value.kind, children, value.a);
      break;
    }
    default: made = values_.node(value.kind, children, value.a, value.b, value.c, value.op, value.type); break;
  }
  binding.memo.emplace(v.index, made);
  return made;
}

Binding Interpreter::bind(const Target& target, const Call& call, uint32_t path) {
  const ir::Function& function = index_.function(target.function);
  const ModuleKey module = index_.functions()[target.function].module;
  Binding binding{.function = target.function, .parameters = {}, .captures = target.captures, .path = path, .memo = {}};
  std::vector<ValueId> positional;
  if (target.receiver.valid()) positional.push_back(target.receiver);
  positional.insert(positional.end(), call.positional.begin(), call.positional.end());
  size_t next = 0;
  for (uint32_t p = 0; p < function.parameters.size(); ++p) {
    const ir::Parameter& parameter = function.parameters[p];
    const Symbol name = index_.name(module, parameter.name);
    ValueId value;
    if (parameter.kind == ir::ParameterKind::Star) {
      std::vector<ValueId> rest(positional.begin() + static_cast<ptrdiff_t>(std::min(next, positional.size())), positional.end());
      next = positional.size();
      value = values_.node(ValueKind::Tuple, rest);
      if (call.open_ended) value = {};
    } else if (parameter.kind == ir::ParameterKind::DoubleStar) {
      if (!call.open_ended) value = keywords_value(call, function, module);
    } else {
      if (parameter.kind != ir::ParameterKind::KeywordOnly && next < positional.size()) value = positional[next++];
      for (const auto& [keyword, given] : call.keywords)
        if (keyword == name) value = given;
      if (!value.valid() && parameter.default_value.valid() && !call.open_ended)
        value = static_value(module, function, parameter.default_value);
    }
    if (!value.valid()) {
      // Not given here: something unknown of this call.
      const SiteId unknown = intern_site({target.function, ir::BlockId{0}, 0, 1000000 + p});
      value = values_.leaf(ValueKind::Opaque, unknown.index, path);
    }
    const uint32_t type = annotation_type(module, function, parameter.annotation);
    if (type && values_[value].type == 0 && !values_.class_of(value).valid()) value = values_.with_type(value, type);
    if (values_.of_unknown_origin(value) && !has_constant_default(target.function, p))
      if (const auto belief = belief_about(index_.names().text(name)))
        value = values_.node(ValueKind::Believed, {{value}}, values_.intern(axes_of({std::string(belief->axis)})).index,
                             static_cast<uint32_t>(belief->kind));
    binding.parameters.push_back(value);
  }
  return binding;
}

}  // namespace ranklint
