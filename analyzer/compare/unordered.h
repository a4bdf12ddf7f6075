// Loops around communication whose order ranks need not share (RL114).
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {

void find_unordered_loops(Interpreter& interpreter, Facts& facts);

}  // namespace ranklint
