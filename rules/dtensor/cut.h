// How long something is along a dimension that is cut into parts, and into how many.
//
// An unknown size is mostly one of the model's: of a weight, of heads, of hidden features. It was chosen together with
// the number of parts, so it is no reason for suspicion. A length that follows from the data was not chosen: the last
// batch of an epoch has what is left over.
#pragma once

#include <optional>

#include "analyzer/summary/query.h"

namespace ranklint {

struct Cut {
  std::optional<int64_t> size, parts;  // none: not known
  bool is_of_data = false;             // how long it is follows from the batch that a rank loaded, or from its files
};

// Each may be invalid: it is not given.
Cut cut_of(const Query& in, ValueId whole, ValueId parts, ValueId dimension);

// How many parts there are when each but the last has the same size, rounded up: 3 where 6 are cut into 4.
int64_t parts_that_exist(int64_t size, int64_t parts);

}  // namespace ranklint
