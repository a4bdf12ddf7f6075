// Whether code lets no job have more ranks than one machine has devices:
//
//     assert world_size <= torch.cuda.device_count()
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether the term is how many ranks the job has: by itself, by what holds it, or by the variable of the environment
// that it is read from.
bool counts_ranks(const Query& in, ValueId v);
// Whether the function asserts that there are no more ranks than this machine has devices, or raises where there are.
bool holds_ranks_to_devices(const Query& in, FunctionKey function);

}  // namespace ranklint
