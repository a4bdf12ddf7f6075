// From summaries to facts: every function that communicates, each group it uses, each pair of rank classes.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {

// Runs every comparison over the project and collects what it found, in a fixed order.
void judge(Interpreter& interpreter, Facts& facts);

}  // namespace ranklint
