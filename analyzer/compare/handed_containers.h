// A helper that goes through a container it was given, and asks of each element what it is, is written for more than
// one kind of content: `if isinstance(value, DTensor)` holds for the callers that have such, and who calls it on one
// rank most likely has none.
#pragma once

#include "analyzer/summary/interpreter.h"

namespace ranklint {

// Whether a part of `v`, in the terms of `f`, is an entry of a dictionary that is a parameter of `f`.
bool is_from_handed_container(Interpreter& interpreter, FunctionKey f, ValueId v);

}  // namespace ranklint
