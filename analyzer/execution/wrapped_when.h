// Under which conditions an attribute holds a wrapped model, where a method wraps it:
//
//     def prepare(self):
//         if self.options.parallel:
//             self.model = DDP(self.model)    # `self.model(x)` communicates only where `self.options.parallel` holds
#pragma once

#include <vector>

#include "analyzer/summary/query.h"

namespace ranklint {

// The model that a call runs: the callee itself, or the object whose method it is. Invalid: there is none.
ValueId model_called(const Query& query, ValueId callee);

// What must hold of the object whose attribute the term is, at each place that wraps it. Nothing: no condition is
// known, or it is no such attribute.
std::vector<ValueId> holds_where_wrapped(const Query& query, ValueId attribute);

}  // namespace ranklint
