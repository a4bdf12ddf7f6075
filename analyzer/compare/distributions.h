#pragma once

#include "analyzer/compare/handed_over.h"
#include "analyzer/compare/tensor_facts.h"

namespace ranklint {

void find_distributions(const Query& query, Callers& callers, TensorFacts& facts);

}  // namespace ranklint
