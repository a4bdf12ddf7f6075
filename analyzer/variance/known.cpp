#include "analyzer/variance/known.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <vector>

#include "analyzer/base/stack_room.h"
#include "analyzer/base/whole_number.h"
#include "analyzer/variance/each_element.h"
#include "analyzer/variance/leads_to.h"
#include "analyzer/variance/ranges.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr int64_t kMostKnown = 1024;
constexpr int64_t kMostElements = 64;

using IfKnown = std::optional<KnownValue>;

// `room`: for how many parts more, of all lists in one another together.
IfKnown known_within(ValueStore& values, const ProjectIndex& index, ValueId v, int64_t& room);

IfKnown all_known(ValueStore& values, const ProjectIndex& index, std::span<const ValueId> parts, int64_t& room) {
  room -= static_cast<int64_t>(parts.size());
  if (room < 0) return std::nullopt;
  KnownValue list{.kind = KnownValue::Kind::List};
  for (const ValueId v : parts) {
    IfKnown part = known_within(values, index, v, room);
    if (!part) return std::nullopt;
    list.parts.push_back(std::move(*part));
  }
  return list;
}

IfKnown numbers_of_range(const NumberRange& range, int64_t& room) {
  if (range.size() > room) return std::nullopt;
  room -= range.size();
  KnownValue list{.kind = KnownValue::Kind::List};
  for (int64_t i = 0; i < range.size(); ++i) list.parts.push_back({.kind = KnownValue::Kind::Whole, .whole = range[i]});
  return list;
}

IfKnown given_for_all(ValueStore& values, const ProjectIndex& index, ValueId of_each, int64_t& room) {
  const auto all = given_for_each(values, index, of_each);
  if (!all) return std::nullopt;
  std::vector<ValueId> parts;
  for (const GivenForElement& one : *all) {
    if (one.guard.valid()) return std::nullopt;
    parts.push_back(one.value);
  }
  return all_known(values, index, parts, room);
}

void keep_first_of_equals(std::vector<KnownValue>& parts) {
  std::vector<KnownValue> kept;
  for (KnownValue& part : parts)
    if (std::ranges::find(kept, part) == kept.end()) kept.push_back(std::move(part));
  parts = std::move(kept);
}

IfKnown known_call(ValueStore& values, const ProjectIndex& index, ValueId v, int64_t& room) {
  if (const auto range = written_numbers(values, index, v)) return numbers_of_range(*range, room);
  if (derived_of(values, index, v) == Derived::OfEach) return given_for_all(values, index, v, room);
  const std::vector<ValueId> parts(values.children(v).begin(), values.children(v).end());
  if (!values.is_result_of(v, ValueStore::Trait::KeepsElements) || parts.empty()) return std::nullopt;
  IfKnown list =
      parts.size() == 1 ? known_within(values, index, parts[0], room) : all_known(values, index, parts, room);
  const bool keeps_order = is_call_of(values, index, v, Builtin::List) || is_call_of(values, index, v, Builtin::Tuple);
  if (!list || keeps_order) return list;
  if (!values.is_result_of(v, ValueStore::Trait::KeepsLength)) keep_first_of_equals(list->parts);
  return sort_parts(*list) ? list : std::nullopt;
}

bool has_parts(const ValueStore& values, ValueId v) {
  const ValueKind kind = values[v].kind;
  return kind == ValueKind::Text || kind == ValueKind::Tuple || kind == ValueKind::Pure;
}

// `[True, False] * 4`. Invalid: it is another product, or too long a list.
ValueId list_repeated(ValueStore& values, ValueId left, ValueId right) {
  const bool list_is_left = values[left].kind == ValueKind::Tuple;
  const ValueId list = list_is_left ? left : right;
  int64_t times = 0;
  if (values[list].kind != ValueKind::Tuple || !values.integer_of(list_is_left ? right : left, times)) return {};
  const std::span<const ValueId> parts = values.children(list);
  times = std::max<int64_t>(times, 0);
  if (times > kMostElements || times * static_cast<int64_t>(parts.size()) > kMostElements) return {};
  std::vector<ValueId> made;
  for (; times > 0; --times) made.insert(made.end(), parts.begin(), parts.end());
  return values.node(ValueKind::Tuple, made, values[list].a);
}

IfKnown known_within(ValueStore& values, const ProjectIndex& index, ValueId v, int64_t& room) {
  require_stack_room();
  KnownValue known;
  const ValueKind kind = values[v].kind;
  if (values.integer_of(v, known.whole)) return known;
  switch (kind) {
    case ValueKind::Real:
      known.kind = KnownValue::Kind::Real;
      return values.number_of(v, known.real) ? IfKnown(known) : std::nullopt;
    case ValueKind::Text:
      return KnownValue{.kind = KnownValue::Kind::Text, .text = std::string(index.names().text(Symbol{values[v].a}))};
    case ValueKind::Tuple: {
      // One that is empty is there to be filled.
      const std::vector<ValueId> parts(values.children(v).begin(), values.children(v).end());
      return parts.empty() ? std::nullopt : all_known(values, index, parts, room);
    }
    case ValueKind::Subscript:
      if (const auto range = written_numbers(values, index, v)) return numbers_of_range(*range, room);
      return std::nullopt;
    case ValueKind::Pure: return known_call(values, index, v, room);
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<KnownValue> known_of(ValueStore& values, const ProjectIndex& index, ValueId v) {
  int64_t room = kMostKnown;
  return known_within(values, index, v, room);
}

bool may_be_known(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  const auto is_open = [&](ValueId part, std::vector<ValueId>& next) {
    const Value& value = values[part];
    add_parts(next, values.children(part));
    switch (value.kind) {
      case ValueKind::Coordinate:
      case ValueKind::RankIn:
      case ValueKind::Size:
      case ValueKind::SizeIn:
      case ValueKind::Element:
      case ValueKind::Unary:
      case ValueKind::Binary:
      case ValueKind::And:
      case ValueKind::Or:
      case ValueKind::Conditional:
      case ValueKind::Tuple:
      case ValueKind::Subscript: return false;
      case ValueKind::Pure:
        return values.computation(Symbol{value.a}).kind == Computation::Kind::None &&
               !values.is_result_of(part, ValueStore::Trait::KeepsElements) &&
               !is_call_of(values, index, part, Builtin::Range) && !is_call_of(values, index, part, Builtin::Slice) &&
               derived_of(values, index, part) != Derived::OfEach;
      default: return !values.is_constant(part);
    }
  };
  return !leads_to(v, is_open);
}

ValueId term_of(ValueStore& values, const ProjectIndex& index, const KnownValue& known) {
  switch (known.kind) {
    case KnownValue::Kind::Whole: return values.integer(known.whole);
    case KnownValue::Kind::Real: return values.real(known.real);
    case KnownValue::Kind::Text: return values.text(index.intern(known.text));
    case KnownValue::Kind::List: break;
  }
  std::vector<ValueId> parts;
  for (const KnownValue& part : known.parts) parts.push_back(term_of(values, index, part));
  return values.node(ValueKind::Tuple, parts);
}

ValueId value_stated(ValueStore& values, std::string_view text) {
  std::vector<ValueId> numbers;
  for (const auto part : std::views::split(text, std::string_view(", "))) {
    const std::optional<int64_t> number = whole_number({part.begin(), part.end()});
    if (!number) return {};
    numbers.push_back(values.integer(*number));
  }
  return numbers.size() == 1 ? numbers.front() : values.node(ValueKind::Tuple, numbers);
}

ValueId lists_joined(ValueStore& values, ValueId left, ValueId right) {
  for (const bool at_left : {true, false}) {
    const ValueId choice = at_left ? left : right;
    if (!values.is_small_choice(choice)) continue;
    const std::vector<ValueId> parts(values.children(choice).begin(), values.children(choice).end());
    const auto with_side = [&](ValueId side) {
      return at_left ? lists_joined(values, side, right) : lists_joined(values, left, side);
    };
    const ValueId yes = with_side(parts[1]), no = yes.valid() ? with_side(parts[2]) : ValueId{};
    return no.valid() ? values.conditional(parts[0], yes, no) : ValueId{};
  }
  if (values[left].kind != ValueKind::Tuple || values[right].kind != ValueKind::Tuple) return {};
  std::vector<ValueId> made(values.children(left).begin(), values.children(left).end());
  made.insert(made.end(), values.children(right).begin(), values.children(right).end());
  return made.size() > kMostElements ? ValueId{} : values.node(ValueKind::Tuple, made, values[left].a);
}

ValueId computed_of(ValueStore& values, const ProjectIndex& index, Symbol function, std::span<const ValueId> given) {
  const Computation what = values.computation(function);
  if (what.kind == Computation::Kind::None || given.empty()) return {};
  if (what.kind == Computation::Kind::Operation)
    return given.size() == 2   ? values.binary(what.op, given[0], given[1])
           : given.size() == 1 ? values.unary(of_one_operand(what.op), given[0])
                               : ValueId{};
  for (size_t i = 0; i < given.size(); ++i) {
    if (!values.is_small_choice(given[i])) continue;
    const std::vector<ValueId> choice(values.children(given[i]).begin(), values.children(given[i]).end());
    const auto of_side = [&](ValueId side) {
      // A list that is empty on some ranks only is not filled by code that is not seen.
      if (what.kind == Computation::Kind::Length && given.size() == 1 && values[side].kind == ValueKind::Tuple)
        return values.integer(values[side].child_count);
      std::vector<ValueId> with_side(given.begin(), given.end());
      with_side[i] = side;
      return values.pure(function, with_side);
    };
    return values.conditional(choice[0], of_side(choice[1]), of_side(choice[2]));
  }
  // How long a list is does not depend on what is in it.
  const Value& first = values[given[0]];
  if (what.kind == Computation::Kind::Length && given.size() == 1 && first.kind == ValueKind::Tuple &&
      first.child_count)
    return values.integer(first.child_count);
  std::vector<KnownValue> known;
  for (const ValueId v : given) {
    IfKnown one = known_of(values, index, v);
    if (!one) return {};
    known.push_back(std::move(*one));
  }
  const IfKnown made = computed(what, known);
  if (!made) return {};
  return what.gives_truth() ? values.boolean(made->is_true()) : term_of(values, index, *made);
}

ValueId computed_of(ValueStore& values, const ProjectIndex& index, ir::Operator op, ValueId left, ValueId right) {
  if (op == ir::Operator::Multiply) return list_repeated(values, left, right);
  const bool compares = ir::is_equality(op) || ir::is_order(op);
  // Of the numbers of a range it is asked elsewhere, and sets are not compared as lists are.
  if (compares
          ? values[left].kind == ValueKind::Pure || values[right].kind == ValueKind::Pure
          : !ir::is_membership(op) || (written_numbers(values, index, right) && values[left].kind != ValueKind::Real))
    return {};
  if (!has_parts(values, left) && !has_parts(values, right)) return {};
  const IfKnown x = known_of(values, index, left), y = x ? known_of(values, index, right) : std::nullopt;
  if (!y) return {};
  const IfKnown made = computed({.kind = Computation::Kind::Operation, .op = op}, std::array{*x, *y});
  if (!made) return {};
  return values.boolean(made->is_true());
}

}  // namespace ranklint
