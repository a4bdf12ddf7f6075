// From summaries to facts: every function that communicates, each group it uses, each pair of rank classes.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {

// Runs every comparison over the project and collects what it found, in a fixed order.
// `replays`: each mismatch is to say what every rank does, for a run.
void judge(Interpreter& interpreter, Facts& facts, bool replays);

}  // namespace ranklint
