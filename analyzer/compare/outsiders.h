// Collectives on a group by ranks that are not in it.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {

void find_outsiders(Interpreter& interpreter, Facts& facts);

}  // namespace ranklint
