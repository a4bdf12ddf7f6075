// The passes that fill TensorFacts, each in a file of its own.
#pragma once

#include "analyzer/compare/tensor_facts.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// All of them, in order.
TensorFacts tensor_facts(const Query& query);

void find_foreign_receivers(const Query& query, TensorFacts& facts);
void find_norms(const Query& query, TensorFacts& facts);
void find_placements(const Query& query, TensorFacts& facts);
void find_shared_files(const Query& query, TensorFacts& facts);
void find_picks(const Query& query, TensorFacts& facts);
void find_exchanges(const Query& query, TensorFacts& facts);
void find_early_devices(const Query& query, TensorFacts& facts);
void find_generated_gathers(const Query& query, TensorFacts& facts);

}  // namespace ranklint
