#pragma once

#include "analyzer/compare/tensor_facts.h"
#include "analyzer/questions/handed_over.h"

namespace ranklint {

void find_distributions(const Query& query, Callers& callers, TensorFacts& facts);

}  // namespace ranklint
