// What names mean as values: decorated functions, annotations, what is written.
//
// A function is what its decorators make of it. A request while the answer is being found gets the plain name.
#include <algorithm>
#include <cstdlib>

#include "analyzer/flow/reached.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/beliefs.h"
#include "analyzer/variance/known.h"
#include "analyzer/variance/reals.h"

namespace ranklint {
namespace {

// Whether each way through the function, but for those that fail, makes such a call.
template <typename IsSuch>
bool always_calls(const ir::Function& f, const Summary& s, const IsSuch& is_such) {
  const auto calls_it = [&](const Step& step) { return step.call.callee.valid() && is_such(step.call.callee); };
  bool returns_without = false;
  reached_from({ir::BlockId{0}}, [&](ir::BlockId b) {
    if (std::ranges::any_of(s.blocks[b.index].steps, calls_it)) return std::vector<ir::BlockId>();
    returns_without |= f.blocks[b].terminator.kind == ir::TerminatorKind::Return;
    return FlowGraph::successors(f.blocks[b]);
  });
  return !returns_without;
}

}  // namespace

ValueId Query::entity_value(const Entity& entity) const {
  switch (entity.kind) {
    case Entity::Kind::Nothing: return {};
    case Entity::Kind::Module: return values_.leaf(ValueKind::Module, entity.module.index);
    case Entity::Kind::Function: return function_value(entity.function);
    case Entity::Kind::Class: return values_.leaf(ValueKind::Class, entity.klass.index);
    case Entity::Kind::Variable: return global_value(entity.module, entity.name);
    case Entity::Kind::External: {
      const std::string_view name = index_.names().text(entity.name);
      if (roles().play(name, Role::GroupOfSelf)) return values_.group(AxisSet{});  // no rank is waited for
      const RoleEntry* known = roles().find(name, Role::KnownValue);
      if (const ValueId stated = known ? value_stated(values_, known->note) : ValueId{}; stated.valid()) return stated;
      const Model* model = models_.find(name);
      if (model && model->kind == ModelKind::GroupSource && roles().play(name, Role::GroupOfAll))
        return values_.group(axes_of(model->axes));
      const ValueId plain = values_.leaf(ValueKind::External, entity.name.index);
      return is_launcher_variable(models_, last_part(name)) ? believed(plain, last_part(name)) : plain;
    }
  }
  return {};
}

ValueId Query::function_value(FunctionKey f, std::vector<ValueId> captures) const {
  if (captures.empty())
    if (const ValueId* known = decorated_.find(f.index)) return *known;
  const bool closed = captures.empty();
  ValueId plain = values_.node(ValueKind::Function, captures, f.index);
  if (index_.function(f).decorators.empty()) return plain;
  if (const Model* model = models_.find(index_.import_name(f)); model && is_primitive(*model)) return plain;
  if (closed) decorated_.set(f.index, plain);  // what a decorator sees when it asks for the name again
  // Arguments of decorators are decorated functions in their turn.
  if (asking_.depth >= deepest_call_) return plain;
  ++asking_.depth;
  const ValueId value = decorate(f, plain);
  --asking_.depth;
  if (closed) decorated_.set(f.index, value);
  return value;
}

// In the body of a class what stands further up in it is in sight.
Entity Query::decorator_named(FunctionKey f, ir::ExprId name) const {
  const ModuleKey module = index_.functions()[f].module;
  const ir::Function& function = index_.function(f);
  const ClassKey around = index_.functions()[f].owner;
  if (around.valid() && function.exprs[name].kind == ir::ExprKind::Name) {
    const auto& methods = index_.classes()[around].methods;
    const auto method = methods.find(index_.name(module, function.exprs[name].symbol));
    const bool is_above = method != methods.end() && index_.functions()[method->second].id < index_.functions()[f].id;
    if (is_above) return {.kind = Entity::Kind::Function, .function = method->second};
  }
  return index_.resolve(module, function, name);
}

// Applies decorators from the inside out: rank guards become conditions, the project's own are called. One that has the
// name of a rank guard, and lets the other ranks communicate or calls the function on all of them, is what the project
// says that it is.
ValueId Query::decorate(FunctionKey f, ValueId value) const {
  const ir::Function& function = index_.function(f);
  const ModuleKey module = index_.functions()[f].module;
  for (auto it = function.decorators.rbegin(); it != function.decorators.rend(); ++it) {
    const bool called = function.exprs[*it].kind == ir::ExprKind::Call;
    const ir::ExprId name = called ? ir::children(function, *it)[0] : *it;
    const Entity entity = decorator_named(f, name);
    const std::string written = index_.dotted(module, function, name);
    std::string full = written;
    if (entity.kind == Entity::Kind::External) full = index_.names().text(entity.name);
    if (entity.kind == Entity::Kind::Function) full = index_.import_name(entity.function);
    const Model* model = models_.find(full);
    if (!model) model = models_.find_attribute("", last_part(written));
    const ValueId wrapped =
        entity.kind == Entity::Kind::Function ? wrapped_by(entity.function, f, *it, value) : ValueId{};
    if (model && model->kind == ModelKind::GuardDecorator && !runs_on_others(wrapped, value))
      value = values_.node(ValueKind::Guarded, {{value, coordinate_value(*model, {})}});
    else if (wrapped.valid())
      value = wrapped;
  }
  return value;
}

// Whether what a decorator has made of a function says itself what the ranks do that a guard would keep out.
bool Query::runs_on_others(ValueId wrapped, ValueId function) const {
  if (!wrapped.valid() || values_[wrapped].kind != ValueKind::Function) return false;
  const FunctionKey wrapper{values_[wrapped].a};
  const Summary* s = summary(wrapper);
  if (!s || s->communicates) return s != nullptr;
  const Target target{.function = wrapper,
                      .receiver = {},
                      .captures = {values_.children(wrapped).begin(), values_.children(wrapped).end()},
                      .guard = {}};
  const Binding binding = bind(target, Call{}, 0);
  return always_calls(index_.function(wrapper), *s, [&](ValueId callee) {
    return values_[callee].kind == ValueKind::Free && instantiate(callee, binding) == function;
  });
}

// What the decorator that stands at `written` of a function makes of the value. Invalid: not known.
ValueId Query::wrapped_by(FunctionKey decorator, FunctionKey of, ir::ExprId written, ValueId value) const {
  const ir::Function& function = index_.function(of);
  const ModuleKey module = index_.functions()[of].module;
  const auto apply = [&](ValueId callee, Call call) -> ValueId {
    const Value& v = values_[callee];
    if (v.kind != ValueKind::Function) return {};
    const FunctionKey key{v.a};
    const Summary* made = summary(key);
    if (!made || !made->result.valid()) return {};
    call.callee = callee;
    Target target{.function = key,
                  .receiver = {},
                  .captures = {values_.children(callee).begin(), values_.children(callee).end()},
                  .guard = {}};
    return instantiate(made->result, bind(target, call, 0));
  };
  ValueId maker = values_.leaf(ValueKind::Function, decorator.index);
  if (function.exprs[written].kind == ir::ExprKind::Call) {
    maker = apply(maker, written_call(module, function, written));
    if (!maker.valid()) return {};
  }
  Call on_function;
  on_function.positional.push_back(value);
  const ValueId wrapped = apply(maker, std::move(on_function));
  if (!wrapped.valid()) return {};
  const ValueKind kind = values_[wrapped].kind;
  return kind == ValueKind::Function || kind == ValueKind::Guarded || kind == ValueKind::Partial ? wrapped : ValueId{};
}

// What a call that is an expression passes: `@on(main=False)`.
Call Query::written_call(ModuleKey module, const ir::Function& f, ir::ExprId written) const {
  Call call;
  for (const ir::ExprId a : ir::children(f, written).subspan(1)) {
    const bool is_keyword = f.exprs[a].kind == ir::ExprKind::Keyword;
    const Symbol keyword = f.exprs[a].symbol;
    if (is_keyword && keyword.valid())
      call.keywords.push_back({index_.name(module, keyword), static_value(module, f, ir::children(f, a)[0])});
    else if (is_keyword || f.exprs[a].kind == ir::ExprKind::Starred)
      call.open_ended = true;
    else if (!call.open_ended)
      call.positional.push_back(static_value(module, f, a));
  }
  return call;
}

ValueId Query::static_value(ModuleKey module, const ir::Function& f, ir::ExprId e) const {
  const ir::Expr& expr = f.exprs[e];
  const ir::Module& ir = index_.modules()[module];
  switch (expr.kind) {
    case ir::ExprKind::None: return values_.none();
    case ir::ExprKind::True: return values_.boolean(true);
    case ir::ExprKind::False: return values_.boolean(false);
    case ir::ExprKind::String: return values_.text(index_.name(module, expr.symbol));
    case ir::ExprKind::Integer:
      return values_.integer(std::strtoll(std::string(ir.text(expr.symbol)).c_str(), nullptr, 10));
    case ir::ExprKind::Float:
      if (const std::optional<double> number = read_real(ir.text(expr.symbol))) return values_.real(*number);
      break;
    case ir::ExprKind::Unary:
      if (expr.op == ir::Operator::Negate)
        return values_.unary(expr.op, static_value(module, f, ir::children(f, e)[0]));
      break;
    case ir::ExprKind::Binary: {
      const auto sides = ir::children(f, e);
      return values_.binary(expr.op, static_value(module, f, sides[0]), static_value(module, f, sides[1]));
    }
    case ir::ExprKind::Tuple: {
      std::vector<ValueId> parts;
      for (const ir::ExprId part : ir::children(f, e)) parts.push_back(static_value(module, f, part));
      return values_.node(ValueKind::Tuple, parts);
    }
    case ir::ExprKind::Function: return values_.leaf(ValueKind::Function, index_.key(module, expr.function()).index);
    case ir::ExprKind::Name:
    case ir::ExprKind::Attribute:
      if (ValueId v = entity_value(index_.resolve(module, f, e)); v.valid()) return v;
      break;
    default: break;
  }
  return values_.leaf(ValueKind::Global, module.index, index_.intern("<default>").index);
}

// `mesh.get_group("dp")`, `mesh["dp"]`: which dimension it is does not rest on where the mesh was made.
static bool names_dimension(const ValueStore& values, const ProjectIndex& index, const Roles& roles, ValueId v) {
  const Value& value = values[v];
  const Symbol type = values.external_type_of(v);
  if (value.kind != ValueKind::Subscript || values[values.child(v, 1)].kind != ValueKind::Text || !type.valid())
    return false;
  const std::string_view kind = index.names().text(type);
  return roles.play(kind, Role::ProcessGroupClass) || roles.play(kind, Role::MeshClass);
}

// Of several assignments the one that says something: None and placeholders give way to a group, an object or
// a coordinate; where two say different things nothing is known but that.
ValueId Query::join_assignments(const std::vector<ValueId>& found, ValueId fallback) const {
  ValueId best;
  bool several = false;
  uint32_t type = 0;
  for (ValueId v : found) {
    if (!v.valid() || values_[v].kind == ValueKind::None) continue;
    if (names_dimension(values_, index_, roles(), v)) v = values_.group(*resolve_group(v, Unknown::FreshAxis));
    if (const ClassKey c = values_.class_of(v); c.valid())
      type = ValueStore::type_of_class(c);
    else if (values_[v].type)
      type = values_[v].type;
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

bool Query::has_constant_default(FunctionKey f, uint32_t parameter) const {
  const ir::Function& function = index_.function(f);
  const ir::ExprId value = function.parameters[parameter].default_value;
  if (!value.valid()) return false;
  const ir::ExprKind kind = function.exprs[value].kind;
  return kind == ir::ExprKind::True || kind == ir::ExprKind::False;
}

uint32_t Query::annotation_type(ModuleKey module, const ir::Function& f, ir::ExprId annotation) const {
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
      if (is_builtin(last_part(base), Builtin::Optional))
        return annotation_type(module, f, ir::children(f, annotation)[1]);
      if (is_builtin(last_part(base), Builtin::Union)) {
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

uint32_t Query::captured_type(FunctionKey f, Symbol name) const {
  for (FunctionKey inner = f, outer = index_.functions()[f].parent; outer.valid();
       inner = outer, outer = index_.functions()[outer].parent) {
    const std::optional<uint32_t> given = program_.handed().type_of_captured(inner, name);
    if (given && *given) return *given;
    const FunctionInfo& info = index_.functions()[outer];
    const ir::Function& function = index_.function(outer);
    for (uint32_t p = 0; p < function.parameters.size(); ++p) {
      if (index_.name(info.module, function.parameters[p].name) != name) continue;
      if (p == 0 && info.owner.valid() && !flags(outer).is_static)
        return flags(outer).is_classmethod ? 0 : ValueStore::type_of_class(info.owner);
      const uint32_t annotated = annotation_type(info.module, function, function.parameters[p].annotation);
      return annotated || given ? annotated : handed_type(outer, p);
    }
    if (given) return 0;
  }
  return 0;
}

uint32_t Query::attribute_annotation(ClassKey c, Symbol name) const {
  const std::pair key{c.index, name.index};
  if (const uint32_t* known = attribute_types_.find(key)) return *known;
  uint32_t type = 0;
  for (ClassKey base : index_.linearization(c)) {
    for (const auto& [f, annotation] : program_.annotations(base, name))
      if (!type) type = annotation_type(index_.functions()[f].module, index_.function(f), annotation);
    if (type) break;
  }
  return attribute_types_.set(key, type);
}

}  // namespace ranklint
