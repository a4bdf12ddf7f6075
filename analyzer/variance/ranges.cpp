#include "analyzer/variance/ranges.h"

#include <algorithm>

#include "analyzer/variance/terms.h"

namespace ranklint {

// Both in unsigned numbers, where no difference is too large.
int64_t NumberRange::size() const {
  const auto from = static_cast<uint64_t>(first), to = static_cast<uint64_t>(end), by = static_cast<uint64_t>(step);
  const bool is_empty = step > 0 ? end <= first : end >= first;
  if (is_empty) return 0;
  const uint64_t numbers = step > 0 ? (to - from - 1) / by + 1 : (from - to - 1) / (0 - by) + 1;
  return static_cast<int64_t>(std::min<uint64_t>(numbers, INT64_MAX));
}

int64_t NumberRange::operator[](int64_t i) const {
  return static_cast<int64_t>(static_cast<uint64_t>(first) + static_cast<uint64_t>(i) * static_cast<uint64_t>(step));
}

bool NumberRange::contains(int64_t number) const {
  const bool is_between = step > 0 ? first <= number && number < end : end < number && number <= first;
  const uint64_t from = static_cast<uint64_t>(first), to = static_cast<uint64_t>(number),
                 stride = static_cast<uint64_t>(step);
  return is_between && (step > 0 ? (to - from) % stride : (from - to) % (0 - stride)) == 0;
}

std::optional<NumberRange> places_taken(const ValueStore& values, const ProjectIndex& index, ValueId slice,
                                        int64_t length) {
  const std::span<const ValueId> given = values.children(slice);
  if (!is_call_of(values, index, slice, Builtin::Slice) || given.empty() || given.size() > 3) return std::nullopt;
  const auto is_given = [&](size_t i) { return i < given.size() && values[given[i]].kind != ValueKind::None; };
  int64_t step = 1;
  if (is_given(2) && !values.integer_of(given[2], step)) return std::nullopt;
  if (step == 0 || step == INT64_MIN) return std::nullopt;
  // What lies outside ends at the first or the last element.
  const int64_t least = step > 0 ? 0 : -1, most = step > 0 ? length : length - 1;
  const auto bound = [&](size_t i, int64_t otherwise) -> std::optional<int64_t> {
    int64_t number = otherwise;
    if (!is_given(i)) return number;
    if (!values.integer_of(given[i], number)) return std::nullopt;
    return std::clamp(number < 0 ? number + length : number, least, most);
  };
  const std::optional<int64_t> first = bound(0, step > 0 ? least : most), end = bound(1, step > 0 ? most : least);
  return first && end ? std::optional(NumberRange{*first, *end, step}) : std::nullopt;
}

std::optional<NumberRange> range_of(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  if (!is_call_of(values, index, v, Builtin::Range)) return std::nullopt;
  const std::span<const ValueId> given = values.children(v);
  NumberRange range;
  const auto read = [&](size_t i, int64_t& into) { return i >= given.size() || values.integer_of(given[i], into); };
  const bool known =
      given.size() == 1 ? read(0, range.end) : read(0, range.first) && read(1, range.end) && read(2, range.step);
  if (given.empty() || given.size() > 3 || !known || range.step == 0) return std::nullopt;
  return range;
}

ValueId end_of_range(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  if (!is_call_of(values, index, v, Builtin::Range)) return {};
  const std::span<const ValueId> given = values.children(v);
  int64_t first = 0;
  if (given.size() == 1) return given[0];
  return given.size() == 2 && values.integer_of(given[0], first) && first == 0 ? given[1] : ValueId{};
}

// What is left when such functions of one argument are taken off.
static ValueId without(const ValueStore& values, ValueId v, ValueStore::Trait trait) {
  while (values[v].child_count == 1 && values.is_result_of(v, trait)) v = values.child(v, 0);
  return v;
}

std::optional<NumberRange> written_numbers(const ValueStore& values, const ProjectIndex& index, ValueId iterable) {
  const ValueId v = without(values, iterable, ValueStore::Trait::KeepsElements);
  if (values[v].kind != ValueKind::Subscript) return range_of(values, index, v);
  const std::optional<NumberRange> whole = written_numbers(values, index, values.child(v, 0));
  const auto taken = whole ? places_taken(values, index, values.child(v, 1), whole->size()) : std::nullopt;
  int64_t step = 0;
  if (!taken || __builtin_mul_overflow(taken->step, whole->step, &step)) return std::nullopt;
  if (taken->size() == 0) return NumberRange{};
  return NumberRange{(*whole)[taken->first], (*whole)[(*taken)[taken->size() - 1]] + (step > 0 ? 1 : -1), step};
}

std::optional<std::span<const ValueId>> written_elements(const ValueStore& values, ValueId iterable) {
  const ValueId list = without(values, iterable, ValueStore::Trait::KeepsElements);
  const bool is_display = values[list].child_count > 1 && values.is_result_of(list, ValueStore::Trait::KeepsElements);
  if (values[list].kind != ValueKind::Tuple && !is_display) return std::nullopt;
  return values.children(list);
}

std::optional<int64_t> length_of(const ValueStore& values, const ProjectIndex& index, ValueId iterable) {
  const std::optional<NumberRange> range =
      written_numbers(values, index, without(values, iterable, ValueStore::Trait::KeepsLength));
  return range ? std::optional(range->size()) : std::nullopt;
}

}  // namespace ranklint
