// A stack that is deep enough for the interpreter.
#pragma once

#include <functional>

namespace ranklint {

// Runs the body to its end and hands it how deep calls may be followed. Throws what the body throws.
void run_with_deep_stack(const std::function<void(int deepest_call)>& body);

}  // namespace ranklint
