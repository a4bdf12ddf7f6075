#pragma once

#include "analyzer/compare/handed_over.h"
#include "analyzer/compare/tensor_facts.h"

namespace ranklint {

void find_distributions(Interpreter& interpreter, Callers& callers, TensorFacts& facts);

}  // namespace ranklint
