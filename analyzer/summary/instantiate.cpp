// Putting a call's actual values into a callee's terms. Each part of a term is looked at once for each call.
#include <algorithm>

#include "analyzer/base/stack_room.h"
#include "analyzer/base/work_limit.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

static ValueId held_value(std::span<const FieldState> held, ValueId object, Symbol name) {
  const auto found =
      std::ranges::find_if(held, [&](const FieldState& h) { return h.object == object && h.name == name; });
  return found == held.end() ? ValueId{} : found->value;
}

// The result of an unknown call, now that its arguments are known: of a batch, something of it.
ValueId Query::made_of_parts(const Value& made, const std::vector<ValueId>& parts, uint32_t path) const {
  // What each rank gives to a reduction is its own; what comes out is not.
  const bool of_batch = std::ranges::any_of(parts, [&](ValueId part) {
    return is_of_batch(values_, index_, part) && derived_of(values_, index_, part) != Derived::ImpliesOwn;
  });
  return of_batch ? values_.with_type(values_.local(ValueStore::kBatch, made.a, path), made.type)
                  : values_.node(ValueKind::Opaque, parts, made.a, path, made.c, ir::Operator::None, made.type);
}

// The same computed of other parts; the attribute that is named now, where it was not.
static ValueId computed_with(const Query& in, ValueId v, std::span<const ValueId> parts) {
  ValueStore& values = in.values();
  if (derived_of(values, in.index(), v) != Derived::NamedAttribute || values[parts[1]].kind != ValueKind::Text)
    return with_parts(values, v, parts);
  const Symbol name{values[parts[1]].a};
  const ValueId attribute = in.get_attribute(parts[0], name);
  return attribute.valid() ? attribute : values.attribute(parts[0], name);
}

// What a loop carries is dropped once the caller's arguments make it alike on all ranks.
static std::span<const ValueId> parts_kept(const ValueStore& values, const Value& of, std::span<const ValueId> parts) {
  const bool is_alike =
      of.kind == ValueKind::LoopPhi && parts.size() > 1 && values[parts[1]].closed && !values.diverges(parts[1]);
  return is_alike ? parts.first(1) : parts;
}

ValueId Query::instantiate(ValueId v, const Binding& binding) const {
  require_stack_room();
  const Value& value = values_[v];
  if (value.closed) return v;
  if (auto found = binding.memo.find(v.index); found != binding.memo.end()) return found->second;
  charge_work();
  std::vector<ValueId> children;
  children.reserve(value.child_count);
  for (ValueId child : values_.children(v)) children.push_back(instantiate(child, binding));
  ValueId made = v;
  switch (value.kind) {
    case ValueKind::Parameter:
      if (value.a == binding.function.index && value.b < binding.parameters.size() &&
          binding.parameters[value.b].valid())
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
      if (!children.empty()) {
        made = made_of_parts(value, children, value.b == 0 ? binding.path : value.b);
        break;
      }
      [[fallthrough]];
    case ValueKind::Local:
    case ValueKind::Caught:
      // A term learned here, on this call; one that came in from elsewhere keeps its path.
      if (value.b == 0 && binding.path) made = values_.leaf(value.kind, value.a, binding.path, value.c, value.type);
      break;
    case ValueKind::Element:
    case ValueKind::LoopPhi:
    case ValueKind::Tensor:
      made = values_.node(value.kind, parts_kept(values_, value, children), value.a,
                          value.b == 0 ? binding.path : value.b, value.c, value.op, value.type);
      break;
    case ValueKind::Believed:
      made =
          values_.of_unknown_origin(children[0]) ? values_.node(value.kind, children, value.a, value.b) : children[0];
      break;
    case ValueKind::RankIn:
    case ValueKind::SizeIn:
      if (auto axes = resolve_group(children[0], Unknown::Nothing)) {
        if (axes->world) axes->axes.clear();  // in a copy, the same
        made = value.kind == ValueKind::RankIn ? values_.coordinate(*axes)
                                               : values_.leaf(ValueKind::Size, values_.intern(*axes).index);
      } else {
        made = values_.node(value.kind, children);
      }
      break;
    case ValueKind::Attribute:
      made = held_value(binding.held, children[0], Symbol{value.a});
      if (!made.valid()) made = values_.with_type(get_attribute(children[0], Symbol{value.a}), value.type);
      break;
    case ValueKind::Pure:
      if (!tests_keyword(v))
        made = computed_with(*this, v, children);
      else if (children.size() == 3)
        made = keyword_of(children[0], children[1], children[2]);
      else
        made = has_keyword(children[0], children[1]);
      break;
    case ValueKind::Bound: {
      // The receiver may be more exact now: an override replaces the method.
      const FunctionKey f{value.a};
      if (const ClassKey c = values_.class_of(children[0]);
          c.valid() || values_[children[0]].kind == ValueKind::Class) {
        const ClassKey exact = c.valid() ? c : ClassKey{values_[children[0]].a};
        const FunctionKey method =
            index_.find_method(exact, index_.name(index_.functions()[f].module, index_.function(f).name));
        if (method.valid() && method != f) {
          made = method_value(method, children[0]);
          break;
        }
      }
      made = values_.node(value.kind, children, value.a);
      break;
    }
    default: made = with_parts(values_, v, children); break;
  }
  binding.memo.emplace(v.index, made);
  return made;
}

Binding Query::bind(const Target& target, const Call& call, uint32_t path) const {
  const ir::Function& function = index_.function(target.function);
  const ModuleKey module = index_.functions()[target.function].module;
  Binding binding{.function = target.function,
                  .parameters = {},
                  .captures = target.captures,
                  .path = path,
                  .memo = {},
                  .held = call.held};
  std::vector<ValueId> positional;
  if (target.receiver.valid()) positional.push_back(target.receiver);
  positional.insert(positional.end(), call.positional.begin(), call.positional.end());
  size_t next = 0;
  for (uint32_t p = 0; p < function.parameters.size(); ++p) {
    const ir::Parameter& parameter = function.parameters[p];
    const Symbol name = index_.name(module, parameter.name);
    ValueId value;
    if (parameter.kind == ir::ParameterKind::Star) {
      std::vector<ValueId> rest(positional.begin() + static_cast<ptrdiff_t>(std::min(next, positional.size())),
                                positional.end());
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
      const SiteId unknown = intern_site({target.function, ir::BlockId{0}, 0, p, Site::Why::Argument});
      value = values_.leaf(ValueKind::Opaque, unknown.index, path);
    }
    const uint32_t type = annotation_type(module, function, parameter.annotation);
    if (type && values_[value].type == 0 && !values_.class_of(value).valid()) value = values_.with_type(value, type);
    if (values_.of_unknown_origin(value) && !has_constant_default(target.function, p))
      value = believed(value, index_.names().text(name));
    binding.parameters.push_back(value);
  }
  if (!target.receiver.valid() || binding.parameters.empty()) return binding;
  // What is being made is an object with all that its constructor is given.
  const Value made = values_[target.receiver];
  if (made.kind == ValueKind::Instance && made.child_count == 0 &&
      index_.find_method(ClassKey{made.a}, index_.intern("__init__")) == target.function)
    binding.parameters[0] = values_.node(ValueKind::Instance, std::span(binding.parameters).subspan(1), made.a);
  return binding;
}

}  // namespace ranklint
