#include "analyzer/variance/terms.h"

#include <algorithm>

#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/leads_to.h"
#include "analyzer/variance/ranges.h"

namespace ranklint {

std::string_view function_of(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  return values[v].kind == ValueKind::Pure ? index.names().text(Symbol{values[v].a}) : std::string_view();
}

bool is_call_of(const ValueStore& values, const ProjectIndex& index, ValueId v, Builtin builtin) {
  return is_builtin(function_of(values, index, v), builtin);
}

Derived derived_of(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  return derived_named(function_of(values, index, v));
}

ValueId derive(ValueStore& values, const ProjectIndex& index, Derived derived, std::span<const ValueId> parts) {
  return values.node(ValueKind::Pure, parts, index.intern(name_of(derived)).index);
}

SeenAlone seen_alone(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  const ValueId seen = values.find_part(v, [&](ValueId part) { return values[part].kind == ValueKind::Local; });
  if (!seen.valid()) return {};
  return {source_of(values[seen], index.names()), index.names().text(Symbol{values[seen].c})};
}

LocalSource local_source(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  return seen_alone(values, index, v).source;
}

LocalSource source_of(const Value& v, const SymbolTable& names) {
  return v.kind == ValueKind::Local ? local_source_named(names.text(Symbol{v.c})) : LocalSource::None;
}

bool is_drawn(const Value& v, const SymbolTable& names) { return source_of(v, names) == LocalSource::Random; }

bool is_seen_alone(const Value& v, const SymbolTable& names) {
  return v.kind == ValueKind::Local && !is_drawn(v, names);
}

bool is_of_batch(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  return values[v].of_batch || (values[v].local && local_source(values, index, v) == LocalSource::Batch);
}

ValueId group_made_with(const ValueStore& values, const ProjectIndex& index, ValueId object) {
  const ValueId made =
      values.find_part(object, [&](ValueId part) { return derived_of(values, index, part) == Derived::MadeWith; });
  return made.valid() ? values.child(made, 0) : ValueId{};
}

OwnPart own_part_implied_by(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  if (values[v].kind != ValueKind::Subscript) return {};
  const ValueId call = values.child(v, 0);
  if (values[call].kind != ValueKind::Opaque || values[call].child_count != 1) return {};
  const ValueId implied = values.child(call, 0);
  if (derived_of(values, index, implied) != Derived::ImpliesOwn || values.child(implied, 1) != values.child(v, 1))
    return {};
  return {values.child(implied, 0), values.truth(values.child(implied, 2)) == ValueStore::Truth::Yes};
}

ValueId passed_by_caller(const ValueStore& values, const ProjectIndex& index, ValueId callee) {
  if (derived_of(values, index, callee) == Derived::NamedAttribute) callee = values.child(callee, 1);
  const ValueKind kind = values[callee].kind;
  return kind == ValueKind::Parameter || kind == ValueKind::Free ? callee : ValueId{};
}

bool asks_numbers(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  const auto is_open = [&](ValueId part) {
    switch (values[part].kind) {
      // Of `rank in range(24)` nothing is computed where a small world has no rank outside; a large job has.
      case ValueKind::Binary:
        return ir::is_membership(values[part].op) && written_numbers(values, index, values.child(part, 1));
      case ValueKind::Unary:
      case ValueKind::And:
      case ValueKind::Or:
      case ValueKind::Conditional:
      case ValueKind::Tuple: return false;
      case ValueKind::Subscript:
      // What a call without arguments answers is no number that is computed of others.
      case ValueKind::Pure: return values[part].child_count == 0 || derived_of(values, index, part) != Derived::None;
      default: return !values.is_constant(part);
    }
  };
  return !values.find_part(v, is_open).valid();
}

namespace {

// Whether the term is what a caller gives, what the rounds of a loop bring, or a part of that: any value of it may
// come.
bool is_given(const ValueStore& values, ValueId v) {
  while (values[v].kind == ValueKind::Attribute || values[v].kind == ValueKind::Subscript) v = values.child(v, 0);
  const ValueKind kind = values[v].kind;
  return kind == ValueKind::Parameter || kind == ValueKind::Free || kind == ValueKind::Global ||
         kind == ValueKind::Element;
}

}  // namespace

bool rests_on_given(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  const auto is_another = [&](ValueId part, std::vector<ValueId>& next) {
    switch (values[part].kind) {
      case ValueKind::Size:
      case ValueKind::SizeIn: return false;
      case ValueKind::Unary:
      case ValueKind::Binary:
      case ValueKind::And:
      case ValueKind::Or:
      case ValueKind::Conditional:
      case ValueKind::Tuple: add_parts(next, values.children(part)); return false;
      default:
        return !values.is_constant(part) && !is_given(values, part) && !written_numbers(values, index, part) &&
               !written_elements(values, part);
    }
  };
  return !leads_to(v, is_another);
}

bool is_empty_list(const ValueStore& values, ValueId v) {
  return values[v].kind == ValueKind::Tuple && values[v].child_count == 0;
}

bool has_part(const ValueStore& values, ValueId whole, ValueId part) {
  return values.find_part(whole, [&](ValueId v) { return v == part; }).valid();
}

ValueId with_parts(ValueStore& values, ValueId v, std::span<const ValueId> parts) {
  const Value& value = values[v];
  switch (value.kind) {
    case ValueKind::Unary: return values.unary(value.op, parts[0]);
    case ValueKind::Binary: return values.binary(value.op, parts[0], parts[1]);
    case ValueKind::And:
    case ValueKind::Or: return values.conjunction(value.kind == ValueKind::And, parts);
    case ValueKind::Pure: return values.pure(Symbol{value.a}, parts);
    case ValueKind::Conditional: return values.conditional(parts[0], parts[1], parts[2]);
    case ValueKind::Subscript: return values.with_type(values.subscript(parts[0], parts[1]), value.type);
    default: return values.node(value.kind, parts, value.a, value.b, value.c, value.op, value.type);
  }
}

bool is_among_kinds(const ValueStore& values, const SymbolTable& names, Symbol type, ValueId asked) {
  const auto is_one = [&](ValueId kind) {
    return values[kind].kind == ValueKind::External &&
           last_part(names.text(Symbol{values[kind].a})) == last_part(names.text(type));
  };
  return values[asked].kind == ValueKind::Tuple ? std::ranges::any_of(values.children(asked), is_one) : is_one(asked);
}

}  // namespace ranklint
