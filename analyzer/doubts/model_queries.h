// A helper that goes through tensors it was given or has read, and asks of each what it is, is written for more than
// one kind of content: `if isinstance(value, DTensor)` holds for the callers that have such, and who calls it on one
// rank most likely has none. One that takes them from a model, of whatever kind, reads what is sharded there.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether `f` asks a model for its parameters or its state.
bool queries_model(const Query& query, FunctionKey f);

}  // namespace ranklint
