// Training loops of frameworks that some ranks alone ask to stop (RL102).
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {

void find_framework_stops(Interpreter& interpreter, Facts& facts);

}  // namespace ranklint
