// `range(2, 8, 3)`, all of whose numbers are known.
#pragma once

#include <optional>

#include "analyzer/variance/values.h"

namespace ranklint {

struct NumberRange {
  int64_t first = 0, end = 0, step = 1;  // step: not 0
  int64_t size() const;                  // of more than fit, INT64_MAX
  int64_t operator[](int64_t i) const;   // i: below size()
  bool contains(int64_t number) const;
};

// Which of `length` elements `[1::2]` takes: `slice` is the term between the brackets. Nothing for other terms.
std::optional<NumberRange> places_taken(const ValueStore& values, const ProjectIndex& index, ValueId slice,
                                        int64_t length);

// Nothing for other terms.
std::optional<NumberRange> range_of(const ValueStore& values, const ProjectIndex& index, ValueId v);

// The end of a range that counts from 0, `n` of `range(n)`. Invalid: it is another term.
ValueId end_of_range(const ValueStore& values, const ProjectIndex& index, ValueId v);

// The numbers of a range, or of a list that is made of one. Nothing for other terms.
std::optional<NumberRange> written_numbers(const ValueStore& values, const ProjectIndex& index, ValueId iterable);

// The elements of a list, a tuple or a set that is written out, or of what is made of one: `frozenset((0, 3))`. Nothing
// for other terms.
std::optional<std::span<const ValueId>> written_elements(const ValueStore& values, ValueId iterable);

// How many elements it has that are as many as a range's: `enumerate(range(1, 4, 2))`. Nothing for other terms.
std::optional<int64_t> length_of(const ValueStore& values, const ProjectIndex& index, ValueId iterable);

}  // namespace ranklint
