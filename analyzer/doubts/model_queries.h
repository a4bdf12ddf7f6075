// A helper that iterates over tensors and asks each for its type (`if isinstance(value, DTensor)`) is written for more
// than one kind of content: a caller that runs on one rank most likely passes no sharded tensors. A helper that takes
// the tensors from a model reads what is sharded in it.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether `f` asks a model for its parameters or its state.
bool queries_model(const Query& query, FunctionKey f);

}  // namespace ranklint
