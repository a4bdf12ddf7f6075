// What a term is called in the program: its name, independent of how the term is printed.
#pragma once

#include <string_view>

#include "analyzer/summary/query.h"

namespace ranklint {

// `c` of `a.b.c`; the name of a variable, a parameter, a class or a function; a text itself. Of what comes from outside
// the whole name: "torch.distributed.fsdp.FullyShardedDataParallel". Empty: it has none.
std::string_view word_of(const ValueStore& values, const ProjectIndex& index, ValueId v);

}  // namespace ranklint
