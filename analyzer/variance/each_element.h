// What a comprehension or a generator gives for each element that it goes over, as far as that is written out:
//
//     any(rank == r for r in (0, 4))               rank == 0 or rank == 4
//     next(i for i, g in enumerate(groups) if rank in g)
//     [r % 8 == 0 for r in range(world)][rank]     rank % 8 == 0
//
// The term (Derived::OfEach) has what it goes over, what stands there for an element, what it gives for that, and under
// which condition, or None. Where all that it goes over is written out, or one place of it is asked for, the element
// can be put in.
#pragma once

#include <optional>
#include <vector>

#include "analyzer/variance/values.h"

namespace ranklint {

struct GivenForElement {
  ValueId guard;  // invalid: always
  ValueId value;
};

// For each element, in their order; nothing: they are not written out, or are too many.
std::optional<std::vector<GivenForElement>> given_for_each(ValueStore& values, const ProjectIndex& index, ValueId v);

// What it goes over, where it gives something for every element. Invalid: it is another term.
ValueId one_for_each_of(const ValueStore& values, const ProjectIndex& index, ValueId v);

// What it gives at a place, where that is the number that it goes over there. Invalid: it is another term.
ValueId given_at(ValueStore& values, const ProjectIndex& index, ValueId v, ValueId place);

// What a question about what all are gives: whether any holds, whether all do, or the first of them. Invalid: it is not
// known, or ranks agree on it whatever it is.
ValueId asked_of_each(ValueStore& values, const ProjectIndex& index, ValueStore::Trait question,
                      std::span<const ValueId> arguments);

}  // namespace ranklint
