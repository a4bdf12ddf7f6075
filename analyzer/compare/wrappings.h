#pragma once

#include "analyzer/compare/handed_over.h"
#include "analyzer/compare/tensor_facts.h"

namespace ranklint {

// Models that are wrapped while they lie where the wrapper can not use them.
void find_wrappings(const Query& query, Callers& callers, TensorFacts& facts);

}  // namespace ranklint
