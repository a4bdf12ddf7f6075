// What its parts say of a term, settled once, when it is made: along which axes ranks differ in it, whether it is what
// a rank alone sees, whether it is exact. A term varies as its parts do, but for what does not pass on (an object is
// not what it holds; a question about a type is answered alike everywhere) and for lengths, which vary in their own
// way.
#include <algorithm>

#include "analyzer/resolve/builtins.h"
#include "analyzer/variance/computed.h"
#include "analyzer/variance/leads_to.h"
#include "analyzer/variance/ranges.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

using ir::Operator;

namespace {

bool tests_identity(Operator op) { return ir::is_membership(op) || op == Operator::Is || op == Operator::IsNot; }

// `seen.append(batch)` in every round: as many as there were batches, of any content.
bool grows_with_rounds(const ValueStore& values, ValueId list) {
  const Value& v = values[list];
  return v.kind == ValueKind::LoopPhi && v.child_count > 0 && values[values.child(list, 0)].kind == ValueKind::Tuple &&
         (v.child_count < 2 || values[values.child(list, 1)].kind != ValueKind::Conditional);
}

// `len(targets) == 0`, `boxes.shape[0] == 0`, `mask.numel() > 0` of a batch: the test says that a batch may have none.
bool tests_if_empty(const ValueStore& values, Operator op, std::span<const ValueId> sides) {
  int64_t limit = 0;
  if ((op != Operator::Equal && op != Operator::NotEqual && !is_order(op)) || !values.integer_of(sides[1], limit) ||
      limit != 0)
    return false;
  const Value& asked = values[sides[0]];
  if (asked.child_count == 0) return false;
  const ValueId of = values.child(sides[0], 0);
  if (grows_with_rounds(values, of)) return false;
  if (asked.kind == ValueKind::Pure)
    return (values.is_result_of(sides[0], ValueStore::Trait::CountsElements) ||
            values.is_result_of(sides[0], ValueStore::Trait::TellsSize)) &&
           values[of].of_batch;
  const bool is_shape =
      values[of].kind == ValueKind::Attribute && values.has_trait(Symbol{values[of].a}, ValueStore::Trait::TellsShape);
  return asked.kind == ValueKind::Subscript && is_shape && values[values.child(of, 0)].of_batch;
}

// Of `a if size > 1 else b` what a job of several ranks has: where there is one, no two differ. Invalid: the condition
// does not ask that.
ValueId side_of_several_ranks(const ValueStore& values, std::span<const ValueId> conditional) {
  const Value& asked = values[conditional[0]];
  if (asked.kind != ValueKind::Binary || !(ir::is_order(asked.op) || ir::is_equality(asked.op))) return {};
  const ValueId left = values.child(conditional[0], 0), right = values.child(conditional[0], 1);
  const auto is_size = [&](ValueId v) {
    return values[v].kind == ValueKind::Size && values.axes(AxesId{values[v].a}).is_world();
  };
  int64_t number = 0;
  if (!(is_size(left) && values.integer_of(right, number)) && !(is_size(right) && values.integer_of(left, number)))
    return {};
  const auto holds = [&](int64_t size) {
    return is_size(left) ? computed(asked.op, size, number) : computed(asked.op, number, size);
  };
  if (holds(1) == holds(2) || holds(2) != holds(3)) return {};
  return conditional[holds(2) == 1 ? 1 : 2];
}

// The number that `enumerate` gives a round: the same on every rank that is in it, for any iterable. Where it
// starts counts: `enumerate(batches, rank)`.
bool is_number_of_round(const ValueStore& values, const ProjectIndex& index, std::span<const ValueId> part) {
  int64_t place = -1;
  if (values[part[0]].kind != ValueKind::Element || values[part[0]].child_count == 0 ||
      !values.integer_of(part[1], place) || place != 0)
    return false;
  const ValueId counted = values.child(part[0], 0);
  return is_call_of(values, index, counted, Builtin::Enumerate) &&
         (values[counted].child_count < 2 || !values.diverges(values.child(counted, 1)));
}

// A number as what it is counted from and how far it lies above that: `i + 2`.
std::pair<ValueId, int64_t> from_base(const ValueStore& values, ValueId number) {
  int64_t above = 0, step = 0;
  while (values[number].kind == ValueKind::Binary && values[number].op == Operator::Add &&
         values.integer_of(values.child(number, 1), step)) {
    above += step;
    number = values.child(number, 0);
  }
  return {number, above};
}

// Whether they surely differ or are surely the same: constants, or as far apart as is written.
bool are_distinguished(const ValueStore& values, ValueId a, ValueId b) {
  if (values.is_constant(a) && values.is_constant(b)) return true;
  const auto [base, above] = from_base(values, a);
  const auto [other, beyond] = from_base(values, b);
  return base == other && above != beyond;
}

// What differs in a choice between values.
void derive_choice(const ValueStore& values, std::span<const ValueId> children, Value& choice, AxisSet& axes) {
  if (const ValueId side = side_of_several_ranks(values, children); side.valid()) {
    const Value& chosen = values[side];
    axes = values.variance(side);
    choice.local = chosen.local;
    choice.of_batch = chosen.of_batch;
    choice.believed = chosen.believed;
  }
  choice.exact &= are_distinguished(values, children[1], children[2]);
}

}  // namespace

// Batches are alike in what they are: keys, types, sizes, whether there are any, unless that is asked
// (tests_if_empty). Their numbers are each rank's own, so what compares those, or looks for numbers that are none,
// is what this rank alone sees.
void ValueStore::settle_batch(Value& value, std::span<const ValueId> children) const {
  const Symbol name{value.a};  // where the term has one
  bool keeps = false, compares = false;
  switch (value.kind) {
    case ValueKind::Local:
    case ValueKind::Conditional:
    case ValueKind::Tuple:
    case ValueKind::Subscript:
    case ValueKind::Element:
    case ValueKind::LoopPhi: keeps = true; break;
    case ValueKind::Attribute: keeps = !has_trait(name, Trait::TellsForm); break;
    case ValueKind::Pure:
      compares =
          has_trait(name, Trait::LooksForNoNumber) || derived_named(index_.names().text(name)) == Derived::MissingBatch;
      keeps = has_trait(name, Trait::ComputesOfValues);
      break;
    case ValueKind::Binary: {
      const bool equality = value.op == Operator::Equal || value.op == Operator::NotEqual;
      const bool of_numbers = std::ranges::all_of(
          children, [&](ValueId c) { return values_[c].of_batch || values_[c].kind == ValueKind::Integer; });
      compares = is_order(value.op) || (equality && of_numbers);
      keeps = !equality && !compares && !tests_identity(value.op);
      break;
    }
    default: break;
  }
  value.local |= compares;
  value.of_batch = keeps;
}

// What there is for each of a range is known in a world only, where all of it is computed.
bool ValueStore::is_of_open_range(const Value& value, std::span<const ValueId> children) const {
  return value.kind == ValueKind::Pure && derived_named(index_.names().text(Symbol{value.a})) == Derived::OfEach &&
         values_[children[0]].kind != ValueKind::Tuple;
}

// Whether it may be another term on one rank of a world: of what holds such a term, a rank's number, a number of ranks,
// what a root has sent, or a variable that a loop may leave alone on some ranks.
bool ValueStore::is_of_rank(const Value& value, std::span<const ValueId> children) const {
  const auto holds = [&](ValueId child) { return values_[child].of_rank || values_[child].local; };
  if (std::ranges::any_of(children, holds)) return true;
  switch (value.kind) {
    case ValueKind::Coordinate:
    case ValueKind::Size:
    case ValueKind::RankIn:
    case ValueKind::SizeIn:
    case ValueKind::Believed: return true;
    case ValueKind::LoopPhi: return children.size() > 1;
    case ValueKind::Pure: return derived_named(index_.names().text(Symbol{value.a})) == Derived::FromRoot;
    default: return false;
  }
}

void ValueStore::derive(Value& value, std::span<const ValueId> children) {
  AxisSet axes;
  value.exact = true;
  for (ValueId child : children) {
    const Value& v = values_[child];
    value.depth = std::max<uint16_t>(value.depth, static_cast<uint16_t>(v.depth + 1));
    value.closed &= v.closed;
    value.believed |= v.believed;
    value.local |= v.local;
    value.of_batch |= v.of_batch;
    axes.add(axes_[v.axes]);
    if (!axes_[v.axes].empty()) value.exact &= v.exact;
  }
  switch (value.kind) {
    case ValueKind::Opaque:  // nothing is known of what was made of its children
      axes = {};
      value.local = value.of_batch = value.believed = false;
      value.closed = false;
      break;
    case ValueKind::Parameter:
    case ValueKind::Free:
    case ValueKind::Element:
    case ValueKind::LoopPhi:
    case ValueKind::Caught:
    case ValueKind::Tensor: value.closed = false; break;
    case ValueKind::Local:
      value.closed = false;
      value.of_batch = source_of(value, index_.names()) == LocalSource::Batch;
      value.local = !value.of_batch;
      break;
    case ValueKind::Coordinate: axes.add(axes_[AxesId{value.a}]); break;
    case ValueKind::RankIn: axes.add(unknown_axis_); break;
    case ValueKind::Believed:
      axes.add(axes_[AxesId{value.a}]);
      value.believed = true;
      break;
    default: break;
  }
  // What an object holds does not make the object itself differ between ranks, nor does a rank-dependent
  // argument make every property of a result differ: those would be guesses.
  switch (value.kind) {
    case ValueKind::Attribute:
    case ValueKind::Instance:
    case ValueKind::Function:
    case ValueKind::Bound:
    case ValueKind::Partial:
    case ValueKind::Group:
      axes = {};
      // But what a rank alone sees it sees in all parts: `os.uname().nodename`. What it draws has a form that all
      // share.
      value.local =
          value.kind == ValueKind::Attribute && value.local && is_seen_alone(values_[children[0]], index_.names());
      value.believed = false;
      break;
    case ValueKind::Tensor:  // see shape_diverges
      axes = {};
      value.local = false;
      break;
    // One more for some ranks, `1 if rank < rest else 0`, is as exact as its condition; two unknown things could be the
    // same.
    case ValueKind::Conditional: derive_choice(*this, children, value, axes); break;
    case ValueKind::Subscript:
      if (is_number_of_round(*this, index_, children)) axes = {}, value.local = value.of_batch = false;
      value.exact = false;
      break;
    case ValueKind::Element: value.exact = false; break;
    default: value.exact = value.exact && !is_of_open_range(value, children); break;
  }
  if (value.of_batch) settle_batch(value, children);
  if (value.kind == ValueKind::Pure) {
    const std::string_view name = index_.names().text(Symbol{value.a});
    // What a rank draws, reads or measures by itself is of one type everywhere; one such entry does not make a
    // whole dictionary its own.
    if (has_trait(Symbol{value.a}, Trait::AsksKind)) value.local = false, axes = {};
    // What the elements hold does not say how many there are.
    if (derived_named(name) == Derived::MoreRounds) {
      value.local = says_how_many(children[0]);
      if (!length_varies(children[0])) axes = {};
      if (const auto exact = has_exact_length(children[0])) value.exact = *exact;
    }
    if (is_builtin(name, Builtin::Dict))
      value.local &=
          std::all_of(children.begin(), children.end(), [&](ValueId c) { return values_[c].local || is_constant(c); });
  }
  if (value.kind == ValueKind::Binary && tests_if_empty(*this, value.op, children)) value.local = true;
  // Whether there is anything, too, unless a source itself may have nothing.
  const bool identity = value.kind == ValueKind::Binary && (value.op == Operator::Is || value.op == Operator::IsNot);
  if (identity && values_[children[1]].kind == ValueKind::None && values_[children[0]].kind != ValueKind::Local)
    value.local = false;
  switch (value.kind) {
    case ValueKind::Integer:
    case ValueKind::Real:
    case ValueKind::Text:
    case ValueKind::Bool:
    case ValueKind::None: value.constant = true; break;
    case ValueKind::Tuple:
      value.constant =
          std::all_of(children.begin(), children.end(), [&](ValueId part) { return values_[part].constant; });
      break;
    default: break;
  }
  value.ends = 1;
  if (value.kind == ValueKind::Conditional) {
    value.ends =
        static_cast<uint8_t>(std::min<int>(kManyLeaves, values_[children[1]].ends + values_[children[2]].ends));
    value.not_none = surely_not_none(children[1]) && surely_not_none(children[2]);
  }
  value.exact &= !axes.empty();
  value.axes = intern(axes);
}

}  // namespace ranklint
