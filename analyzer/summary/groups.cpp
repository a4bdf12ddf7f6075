// Which axes a value that stands for a process group has.
#include <functional>
#include <unordered_map>

#include "analyzer/base/stack_room.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "analyzer/summary/tensors.h"
#include "analyzer/variance/beliefs.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

// An element of something, or the tensor in it, or its mesh: `for p in model.parameters(): p.data.full_tensor()`.
bool is_one_of_several(const Query& in, const ValueStore& values, ValueId v) {
  const SymbolTable& names = in.index().names();
  const auto is_same_tensor = [&](const Value& part) {
    if (part.kind == ValueKind::Subscript) return true;
    if (part.kind == ValueKind::Pure)
      return part.child_count > 0 && keeps_ranks(in.roles(), names.text(Symbol{part.a}));
    if (part.kind != ValueKind::Attribute) return false;
    const std::string_view name = names.text(Symbol{part.a});
    return in.roles().play(name, Role::KeepsTensor) || in.roles().play(name, Role::GivesGroup);
  };
  while (is_same_tensor(values[v])) v = values.child(v, 0);
  return values[v].kind == ValueKind::Element;
}

// What distinguishes a group of unknown origin from others: its term, without known types of its parts and without the
// loop that goes through them, for the elements of one list are not distinguished. Of one of several also without the
// places of calls: what one variable holds, or calls of one name return, is one list.
ValueId origin_of(const Query& in, ValueId v) {
  ValueStore& values = in.values();
  const bool one_of_several = is_one_of_several(in, values, v);
  std::unordered_map<uint32_t, ValueId> seen;
  const std::function<ValueId(ValueId)> strip = [&](ValueId part) {
    if (auto found = seen.find(part.index); found != seen.end()) return found->second;
    const Value value = values[part];
    std::vector<ValueId> children;
    for (ValueId child : values.children(part)) children.push_back(strip(child));
    const bool by_loop = value.kind == ValueKind::Element || value.kind == ValueKind::LoopPhi;
    const bool by_path =
        by_loop || (one_of_several && (value.kind == ValueKind::Opaque || value.kind == ValueKind::Local ||
                                       value.kind == ValueKind::Tensor));
    ValueId made = values.node(value.kind, children, by_loop ? 0 : value.a, by_path ? 0 : value.b, value.c, value.op);
    if (one_of_several && value.kind == ValueKind::Opaque)
      if (const Query::UnknownName known = in.name_of_unknown(part); known.by != Query::NamedBy::Nothing)
        made = values.node(ValueKind::Pure, {}, in.index().intern(known.name).index);
    return seen.emplace(part.index, made).first->second;
  };
  return strip(v);
}

// `dist.group.WORLD`, `dist.group.WORLD.group_name`
bool names_world(const Roles& roles, std::string_view name) {
  if (const size_t dot = name.rfind('.'); dot != name.npos && roles.play(name, Role::GivesGroup))
    name = name.substr(0, dot);
  return roles.play(name, Role::GroupOfAll);
}

// Of "the group that an object was made with": that one, which may be another object's in turn, or invalid where none
// is known. Any other group as it is.
ValueId group_meant(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  while (v.valid() && derived_of(values, index, v) == Derived::GroupOf)
    v = group_made_with(values, index, values.child(v, 0));
  return v;
}

}  // namespace

AxisSet Query::axes_of(const std::vector<std::string>& names) const {
  AxisSet set;
  for (const std::string& name : names)
    if (name == "world")
      set.add(AxisSet{.world = true, .axes = {}});
    else
      set.add(index_.axis(name));
  return set;
}

std::optional<AxisSet> Query::resolve_group(ValueId v, Unknown unknown) const {
  require_stack_room();
  AxisSet world{.world = true, .axes = {}};
  if (v = group_meant(values_, index_, v); !v.valid()) return world;
  const Value value = values_[v];
  switch (value.kind) {
    case ValueKind::None: return world;
    case ValueKind::Group: return values_.axes(AxesId{value.a});
    case ValueKind::Conditional: {
      // `group or default`: the side that is a group; both the same where they agree.
      const ValueId yes = values_.child(v, 1), no = values_.child(v, 2);
      if (values_[yes].kind == ValueKind::None) return resolve_group(no, unknown);
      if (values_[no].kind == ValueKind::None) return resolve_group(yes, unknown);
      if (!values_.is_small_choice(v)) break;
      const auto a = resolve_group(yes, Unknown::Nothing), b = resolve_group(no, Unknown::Nothing);
      if (a && b && *a == *b) return a;
      break;
    }
    case ValueKind::Or: return resolve_group(values_.child(v, value.child_count - 1), unknown);
    case ValueKind::External: {
      const std::string_view name = index_.names().text(Symbol{value.a});
      if (names_world(roles(), name)) return world;
      break;
    }
    case ValueKind::Text: return axes_of(axes_of_dimension(priors(), index_.names().text(Symbol{value.a})));
    case ValueKind::Subscript: {
      // mesh["dp"]: one dimension of a mesh.
      const ValueId key = values_.child(v, 1);
      if (values_[key].kind == ValueKind::Text) return resolve_group(key, unknown);
      break;
    }
    case ValueKind::Attribute: {
      const std::string_view name = index_.names().text(Symbol{value.a});
      const ValueId base = values_.child(v, 0);
      if (roles().play(name, Role::GivesGroup))
        if (auto inner = resolve_group(base, Unknown::Nothing)) return inner;
      break;
    }
    default: break;
  }
  if (const std::vector<std::string>* axes = axes_in_group_name(priors(), last_name(v));
      axes && (unknown == Unknown::FreshAxis || values_[v].closed || value.kind == ValueKind::Attribute))
    return axes_of(*axes);
  if (unknown == Unknown::Nothing) return std::nullopt;
  if (const AxesId* known = axis_of_unknown_.find(v.index)) return values_.axes(*known);
  const std::string text = source_text(v);
  const NamedBy named = named_by(v);
  AxisSet own;
  own.add(Axis{named == NamedBy::Name   ? AxisKind::NamedGroup
               : named == NamedBy::Call ? AxisKind::ReturnedGroup
                                        : AxisKind::NamelessGroup,
               text.empty() ? Symbol() : index_.intern(text), origin_of(*this, v)});
  axis_of_unknown_.set(v.index, values_.intern(own));
  return own;
}

Assurance Query::group_certainty(ValueId v, const CodePlace& place) const {
  if (v = group_meant(values_, index_, v); !v.valid()) return Confidence::Certain;
  const ValueKind kind = values_[v].kind;
  if (kind == ValueKind::None || kind == ValueKind::Group || kind == ValueKind::External) return Confidence::Certain;
  const bool is_looked_up = kind == ValueKind::Text || kind == ValueKind::Subscript;
  Assurance sure = is_looked_up || resolve_group(v, Unknown::Nothing) ? Confidence::High : Confidence::Likely;
  const std::string text = source_text(v);
  sure.assume({.kind = AssumptionKind::GroupByName, .subject = text.empty() ? "that is given" : text, .place = place});
  return sure;
}

}  // namespace ranklint
