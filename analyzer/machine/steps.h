// A step that stays in its function and goes on to the next one.
#pragma once

#include "analyzer/machine/machine.h"

namespace ranklint::machine {

// The stack of operands. A value that was never computed ends the run.
Value pop(Machine& m);
void push(Machine& m, Value v);

void take_simple(Machine& m, const Step& step);

}  // namespace ranklint::machine
