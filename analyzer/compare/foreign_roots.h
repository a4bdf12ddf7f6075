// Ranks of the world where those of a group are meant, and the other way round.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {

// Fills Facts::divergent_arguments with roots.
void find_foreign_roots(Interpreter& interpreter, Facts& facts);

}  // namespace ranklint
