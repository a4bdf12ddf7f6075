// Data sets that deal out what there is, each rank its turn.
#pragma once

#include "analyzer/summary/interpreter.h"

namespace ranklint {

// Whether ranks that go over the data set to its end may get unequal numbers of samples.
bool deals_out_unevenly(Interpreter& interpreter, ValueId dataset);

}  // namespace ranklint
