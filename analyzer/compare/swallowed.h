// Handlers that take one rank past a collective, or into one (RL106).
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {

void find_swallowed_failures(Interpreter& interpreter, Facts& facts);

}  // namespace ranklint
