// The passes that fill TensorFacts, each in a file of its own.
#pragma once

#include "analyzer/compare/tensor_facts.h"
#include "analyzer/summary/interpreter.h"

namespace ranklint {

// All of them, in order.
TensorFacts tensor_facts(Interpreter& interpreter);

void find_foreign_receivers(Interpreter& interpreter, TensorFacts& facts);
void find_norms(Interpreter& interpreter, TensorFacts& facts);
void find_placements(Interpreter& interpreter, TensorFacts& facts);
void find_shared_files(Interpreter& interpreter, TensorFacts& facts);
void find_picks(Interpreter& interpreter, TensorFacts& facts);
void find_exchanges(Interpreter& interpreter, TensorFacts& facts);
void find_early_devices(Interpreter& interpreter, TensorFacts& facts);
void find_generated_gathers(Interpreter& interpreter, TensorFacts& facts);

}  // namespace ranklint
