#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/compare/tensor_facts.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {

void find_distributions(Interpreter& interpreter, TensorFacts& facts);

}  // namespace ranklint
