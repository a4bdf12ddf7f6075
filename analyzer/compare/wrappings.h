#pragma once

#include "analyzer/compare/tensor_facts.h"
#include "analyzer/questions/handed_over.h"

namespace ranklint {

// Models that are wrapped while they lie where the wrapper can not use them.
void find_wrappings(const Query& query, Callers& callers, TensorFacts& facts);

}  // namespace ranklint
