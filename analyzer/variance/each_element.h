// What a comprehension or a generator gives for each element that it goes over, as far as that is written out:
//
//     any(rank == r for r in (0, 4))               rank == 0 or rank == 4
//     next(i for i, g in enumerate(groups) if rank in g)
//     [r % 2 == 0 for r in range(8)][rank]          rank % 2 == 0
//
// The term (Derived::OfEach) has what it goes over, what stands there for an element, what it gives for that, and under
// which condition, or None. The elements can be put in, all or the one that is asked for.
#pragma once

#include <optional>
#include <vector>

#include "analyzer/variance/values.h"

namespace ranklint {

// Whether all that is gone over is there to be put in. Else nothing is computed of it, and ranks are taken to agree: of
// the numbers of all ranks one is this rank's, and the others are not.
bool is_written_out(ValueStore& values, const ProjectIndex& index, ValueId gone_over);

// Whether it is a range that a world of ranks says, such as `range(0, world_size, 2)`: on one rank of a world it is
// written out.
bool is_range_of_ranks(const ValueStore& values, const ProjectIndex& index, ValueId gone_over);

struct GivenForElement {
  ValueId guard;  // invalid: always
  ValueId value;
};

// For each element, in their order; nothing: they are not written out, or are too many.
std::optional<std::vector<GivenForElement>> given_for_each(ValueStore& values, const ProjectIndex& index, ValueId v);

// What it goes over, where both are empty or neither is, as far as is known. Invalid: it is another term.
ValueId empty_as(ValueStore& values, const ProjectIndex& index, ValueId v);

// What it gives at a place, where that is the number that it goes over there and is not counted from the end. Invalid:
// it is another term.
ValueId given_at(ValueStore& values, const ProjectIndex& index, ValueId v, ValueId place);

// What a question about what all are gives: whether any holds, whether all do, or the first of them. Invalid: it is not
// known, or nothing in it differs between ranks.
ValueId asked_of_each(ValueStore& values, const ProjectIndex& index, ValueStore::Trait question,
                      std::span<const ValueId> arguments);

}  // namespace ranklint
