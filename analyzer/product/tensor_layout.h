// How a distributed tensor lies on its mesh, where the function that holds it writes it down.
#pragma once

#include "analyzer/interp/interpreter.h"

namespace ranklint {

// Takes out of the summaries what communicates by its name and sends nothing: `full_tensor()` of a tensor that every
// rank has whole, `copy_` between equal placements or from a whole tensor into parts.
void drop_what_sends_nothing(Interpreter& interpreter);

}  // namespace ranklint
