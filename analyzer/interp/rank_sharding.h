// Items that are sharded over the ranks: `items[rank::world]`, and the equivalents of libraries and data sets. The
// first ranks have one item more where the division leaves a remainder.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether ranks that go over the data set to its end may get unequal numbers of samples.
bool deals_out_unevenly(const Query& interpreter, ValueId dataset);

// `whole[rank::size]`, which stands for every share of that length.
ValueId rank_sharding(const Query& interpreter, ValueId whole, ValueId rank, ValueId size);

// Whether a condition selects this rank's share, `i % size == rank`, with the terms of the rank and of the number of
// shares. The rank may also be an argument of a caller.
struct Turns {
  ValueId rank, size;  // invalid: it does not
};
Turns turns_in(const ValueStore& values, ValueId condition);

// The share that a call of a library gives this rank, or a loader of one. Invalid: none, or one that is as long as the
// others'.
ValueId share_given_by(const Query& interpreter, const Call& call);

}  // namespace ranklint
