// What a term is called in the program, for whoever asks for a name and must not ask how the term is printed.
#pragma once

#include <string_view>

#include "analyzer/summary/query.h"

namespace ranklint {

// `c` of `a.b.c`; the name of a variable, a parameter, a class or a function; a text itself. Of what comes from outside
// the whole name: "torch.distributed.fsdp.FullyShardedDataParallel". Empty: it has none.
std::string_view word_of(const ValueStore& values, const ProjectIndex& index, ValueId v);

}  // namespace ranklint
