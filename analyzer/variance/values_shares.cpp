// How many elements ranks have of what is dealt out among them: `items[rank::world]`, `range(rank, n, world)`, and what
// goes over those.
#include <algorithm>

#include "analyzer/resolve/builtins.h"
#include "analyzer/variance/leads_to.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

using ir::Operator;

namespace {

// `ceil(n / size)`, `(n + size - 1) // size`, `-(-n // size)`: a share that holds the rest, so that the last one is
// shorter.
bool rounds_up(const ValueStore& values, ValueId v) {
  const auto divides = [&](ValueId part) {
    return values[part].kind == ValueKind::Binary && values[part].op == Operator::FloorDivide;
  };
  if (values.is_result_of(v, ValueStore::Trait::RoundsUp)) return true;
  if (values[v].kind == ValueKind::Unary && values[v].op == Operator::Negate) return divides(values.child(v, 0));
  if (!divides(v)) return false;
  const ValueId above = values.child(v, 0);
  return values[above].kind == ValueKind::Binary &&
         (values[above].op == Operator::Add || values[above].op == Operator::Subtract) &&
         has_part(values, above, values.child(v, 1));
}

// Up to `n if rank == last else first + share`: the last one has the rest as well. Or from and to a multiple of a share
// that is rounded up. Of a slice, or of a range.
bool leaves_rest_to_some(const ValueStore& values, const ProjectIndex& index, ValueId bounds) {
  const ValueId end = values.child(bounds, 1);
  if (values[end].kind == ValueKind::Conditional) return values.diverges(values.child(end, 0));
  return is_call_of(values, index, bounds, Builtin::Slice) &&
         values.find_part(end, [&](ValueId part) { return rounds_up(values, part); }).valid();
}

// `n // size * size`, `n - n % size`
bool is_multiple_of(const ValueStore& values, ValueId number, ValueId size) {
  const Value& v = values[number];
  if (v.kind != ValueKind::Binary) return false;
  const ValueId left = values.child(number, 0), right = values.child(number, 1);
  if (v.op == Operator::Multiply) return left == size || right == size;
  const Value& rest = values[right];
  return v.op == Operator::Subtract && rest.kind == ValueKind::Binary && rest.op == Operator::Modulo &&
         values.child(right, 0) == left && values.child(right, 1) == size;
}

// Each rank starts at its own number and steps by the number of ranks, up to a multiple of it that all agree on: all
// get equally many. Of a slice or a range.
bool deals_out_evenly(const ValueStore& values, ValueId bounds) {
  if (values[bounds].child_count != 3) return false;
  const ValueId end = values.child(bounds, 1), step = values.child(bounds, 2);
  const Value &from = values[values.child(bounds, 0)], &ranks = values[step];
  if (from.kind != ValueKind::Coordinate || ranks.kind == ValueKind::Integer) return false;
  if (ranks.kind == ValueKind::Size && ranks.a != from.a) return false;
  return is_multiple_of(values, end, step) && !values.diverges(end) && !values[end].local;
}

// Those arguments of a call that keeps the length on which it depends: not where `enumerate` starts to count.
std::span<const ValueId> parts_counted(const ValueStore& values, const ProjectIndex& index, ValueId iterable) {
  const auto parts = values.children(iterable);
  return is_call_of(values, index, iterable, Builtin::Enumerate) ? parts.first(1) : parts;
}

}  // namespace

// Whether how many elements an iterable has is what a rank alone sees: a listing, a range or a slice up to a measured
// number.
bool ValueStore::says_how_many(ValueId iterable) const {
  return leads_to(iterable, [&](ValueId part, std::vector<ValueId>& next) {
    const Value& v = values_[part];
    if (!v.local) return false;
    if (v.kind == ValueKind::Local) return is_seen_alone(v, index_.names());
    if (is_call_of(*this, index_, part, Builtin::Range)) return true;
    if (v.kind == ValueKind::Subscript && is_call_of(*this, index_, child(part, 1), Builtin::Slice))
      return values_[child(part, 1)].local;
    if (is_result_of(part, Trait::KeepsLength)) add_parts(next, children(part));
    return false;
  });
}

// Whether ranks may differ in how many elements it has: what the elements are does not count.
bool ValueStore::length_varies(ValueId iterable) const {
  return leads_to(iterable, [&](ValueId whole, std::vector<ValueId>& next) {
    const Value& v = values_[whole];
    if (v.kind == ValueKind::Tuple) return false;
    const auto parts = children(whole);
    if ((v.kind == ValueKind::Binary && v.op == Operator::Add) || v.kind == ValueKind::LoopPhi) {
      add_parts(next, parts);
    } else if (derived_of(*this, index_, whole) == Derived::OfEach) {
      add_parts(next, parts.first(1));
    } else if (is_call_of(*this, index_, whole, Builtin::Range) && deals_out_evenly(*this, whole)) {
      return false;
    } else if (v.kind == ValueKind::Subscript && is_call_of(*this, index_, parts[1], Builtin::Slice) &&
               deals_out_evenly(*this, parts[1])) {
      add_parts(next, parts.first(1));
    } else if (!parts.empty() && is_result_of(whole, Trait::KeepsLength)) {
      add_parts(next, parts_counted(*this, index_, whole));
    } else if (v.kind == ValueKind::Conditional) {
      const auto is_written = [&](ValueId part) { return values_[part].kind == ValueKind::Tuple; };
      const bool are_alike = is_written(parts[1]) && is_written(parts[2]) &&
                             values_[parts[1]].child_count == values_[parts[2]].child_count;
      if (diverges(parts[0]) && !are_alike) return true;
      add_parts(next, parts.subspan(1));
    } else {
      return diverges(whole);
    }
    return false;
  });
}

// The slice of `items[rank::world]` or `items[rank:]`: of how many elements follows from where it starts or ends. One
// that starts and ends by the rank is meant to be equally long everywhere, unless it says that the last one has the
// rest.
ValueId ValueStore::uneven_slice(ValueId iterable) const {
  if (values_[iterable].kind != ValueKind::Subscript) return {};
  const ValueId slice = child(iterable, 1);
  if (!is_call_of(*this, index_, slice, Builtin::Slice) || values_[slice].child_count < 2) return {};
  if (deals_out_evenly(*this, slice)) return {};
  const bool from = diverges(child(slice, 0)), to = diverges(child(slice, 1));
  return from != to || leaves_rest_to_some(*this, index_, slice) ? slice : ValueId{};
}

// What `enumerate(x)`, `reversed(x)`, and `zip(x, y)` of shares that are cut alike have as many elements as.
ValueId ValueStore::counted_in(ValueId iterable) const {
  while (values_[iterable].child_count > 0 && is_result_of(iterable, Trait::KeepsLength)) {
    const auto parts = parts_counted(*this, index_, iterable);
    const ValueId cut = uneven_slice(parts[0]);
    const auto is_cut_alike = [&](ValueId part) { return cut.valid() && uneven_slice(part) == cut; };
    if (!std::ranges::all_of(parts.subspan(1), is_cut_alike)) break;
    iterable = parts[0];
  }
  return iterable;
}

// Whether there is another round over one of two lists: one is empty on some ranks, which make none, or all have the
// same, of which ranks may have more of one alone. Invalid: neither holds.
ValueId ValueStore::rounds_of_choice(Symbol more, ValueId iterable) {
  const ValueId choice = counted_in(iterable);
  if (!is_small_choice(choice)) return {};
  const ValueId condition = child(choice, 0), yes = child(choice, 1), no = child(choice, 2);
  if (!diverges(condition)) {
    if (length_varies(yes) == length_varies(no)) return {};
    return conditional(condition, pure(more, std::array{yes}), pure(more, std::array{no}));
  }
  const auto is_empty = [&](ValueId v) { return is_empty_list(*this, v); };
  if (is_empty(yes) == is_empty(no)) return {};
  return conjunction(true, std::array{is_empty(yes) ? negate(condition) : condition,
                                      pure(more, std::array{is_empty(yes) ? no : yes})});
}

bool ValueStore::is_uneven_share(ValueId iterable) const {
  if (is_call_of(*this, index_, iterable, Builtin::Range) && values_[iterable].child_count > 1)
    return !deals_out_evenly(*this, iterable) && (diverges(child(iterable, 0)) != diverges(child(iterable, 1)) ||
                                                  leaves_rest_to_some(*this, index_, iterable));
  if (is_result_of(iterable, Trait::KeepsLength) && values_[iterable].child_count > 0)
    return is_uneven_share(child(iterable, 0));
  return uneven_slice(iterable).valid();
}

// Whether ranks surely differ in how many elements a share has. Nothing: it is no slice of a rank's own.
std::optional<bool> ValueStore::has_exact_length(ValueId iterable) const {
  const ValueId bounds = uneven_slice(counted_in(iterable));
  if (!bounds.valid()) return std::nullopt;
  return values_[bounds].exact || leaves_rest_to_some(*this, index_, bounds);
}

// The places in `items` that `items[rank::world]` takes its elements from, `range(rank, len(items), world)`: how many
// those are is computed. Of items that are the same on all ranks; invalid: it is no such share.
ValueId ValueStore::places_of_share(ValueId share) {
  const ValueId counted = counted_in(share), slice = uneven_slice(counted);
  if (!slice.valid() || values_[child(slice, 1)].kind != ValueKind::None || diverges(child(counted, 0))) return {};
  const auto named = [&](Builtin builtin) { return index_.intern(name_of(builtin)); };
  std::vector<ValueId> bounds{child(slice, 0), pure(named(Builtin::Len), std::array{child(counted, 0)})};
  if (values_[slice].child_count > 2 && values_[child(slice, 2)].kind != ValueKind::None)
    bounds.push_back(child(slice, 2));
  return pure(named(Builtin::Range), bounds);
}

// `len(mine)` of a share, by how many places it has. Invalid: it is something else.
ValueId ValueStore::length_by_places(ValueId length) {
  if (!is_result_of(length, Trait::CountsElements) || values_[length].child_count != 1) return {};
  const ValueId places = places_of_share(child(length, 0));
  return places.valid() ? node(ValueKind::Pure, {{places}}, values_[length].a) : ValueId{};
}

// `len(mine)` where a count of rounds is compared with it, `if step >= len(mine): break`: by how many places it has.
// Any other limit as it is.
ValueId ValueStore::limit_by_places(ValueId limit, ValueId counter) {
  while (values_[counter].kind == ValueKind::Subscript) counter = child(counter, 0);
  const ValueKind kind = values_[counter].kind;
  const ValueId places = kind == ValueKind::LoopPhi || kind == ValueKind::Element ? length_by_places(limit) : ValueId{};
  return places.valid() ? places : limit;
}

// `range(len(mine))`, `range(0, len(mine), 4)`, `items[:len(mine)]` with a share. Invalid: it is nothing of that.
ValueId ValueStore::bounded_by_places(Symbol function, std::span<const ValueId> bounds) {
  const bool slices = is_builtin(index_.names().text(function), Builtin::Slice);
  if ((!slices && !is_builtin(index_.names().text(function), Builtin::Range)) || bounds.empty()) return {};
  const size_t upper = bounds.size() > 1 ? 1 : 0;
  if (upper && !is_constant(bounds[0])) return {};
  const ValueId places = length_by_places(bounds[upper]);
  if (!places.valid()) return {};
  std::vector<ValueId> counted(bounds.begin(), bounds.end());
  counted[upper] = places;
  return node(ValueKind::Pure, counted, function.index);
}

}  // namespace ranklint
