// How often a loop over a range of integers goes round, where its ends differ between ranks and their distance does
// not: `range(rank * n, (rank + 1) * n)` is n rounds on every rank.
#pragma once

#include "analyzer/variance/values.h"

namespace ranklint {

// What decides about the number of rounds of a loop over `range(from, to)`: a value that differs between ranks only if
// the number may. Invalid: the ends themselves decide.
ValueId span_of(ValueStore& values, ValueId from, ValueId to, Symbol name);

// What is known of left - right where sizes and numbers of elements, and products of them, are not negative.
struct ExtentOrder {
  bool is_below = false, is_at_most = false, is_at_least = false, is_above = false;
};
ExtentOrder order_of_extents(const ValueStore& values, ValueId left, ValueId right);

}  // namespace ranklint
