// Which handlers are there for a rank that has run out of memory: by what they take, and by what they ask of it.
#pragma once

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// Whether the handler whose body begins at `body` takes it, and does not just raise something else then.
bool takes_out_of_memory(const Query& in, const FunctionCode& code, ir::BlockId body);

}  // namespace ranklint
