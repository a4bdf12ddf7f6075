// The passes that look for one kind of thing each. None of them knows what another found.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/interp/interpreter.h"

namespace ranklint {

// Runs them all over the functions that the interpreter is to judge, several at once, each over a view of its own.
// A bug in one, where it is about no single function, costs that one.
void run_detectors(Interpreter& interpreter, unsigned threads, Facts& facts);

}  // namespace ranklint
