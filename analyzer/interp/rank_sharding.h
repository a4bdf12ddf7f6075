// What is dealt out, each rank its turn: `items[rank::world]`, and what libraries and data sets do to the same end. Who
// has the first turns has one more where there is a rest.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether ranks that go over the data set to its end may get unequal numbers of samples.
bool deals_out_unevenly(const Query& interpreter, ValueId dataset);

// `whole[rank::size]`, which stands for every share of that length.
ValueId rank_sharding(const Query& interpreter, ValueId whole, ValueId rank, ValueId size);

// Whether a condition picks what is this rank's turn, `i % size == rank`, and who the rank and how many the turns are.
// The rank may also be what a caller gives.
struct Turns {
  ValueId rank, size;  // invalid: it does not
};
Turns turns_in(const ValueStore& values, ValueId condition);

// The share that a call of a library gives this rank, or a loader of one. Invalid: none, or one that is as long as the
// others'.
ValueId share_given_by(const Query& interpreter, const Call& call);

}  // namespace ranklint
