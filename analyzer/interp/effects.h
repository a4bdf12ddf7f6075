// What each function may communicate, calls included: the least fixed point over the call graph.
//
// A summary is made on demand and in any order, so it can't know what a callee does that was not made yet
// (recursion, a class attribute that asks for the method at hand). Here every function is run, and then whether it
// communicates, on which groups, whether ranks may part in it and which of its parameters it calls flow from
// callees to callers until nothing changes. Steps that turn out not to matter are dropped.
#pragma once

#include <span>

#include "analyzer/interp/interpreter.h"

namespace ranklint {

void complete_effects(Interpreter& interpreter);

// Takes steps out of the summaries that turn out to send nothing.
void leave_out(Interpreter& interpreter, std::span<const SiteId> silent);

}  // namespace ranklint
