// Process groups that are made and that nothing is done on: what holds for them holds for no operation.
#pragma once

#include "analyzer/questions/calls.h"
#include "analyzer/resolve/index.h"

namespace ranklint {

// Whether what the call gives is read nowhere: not in its function, and not from the variable of the module in which
// it is kept there.
bool is_read_nowhere(const ProjectIndex& index, const CallSite& call);

}  // namespace ranklint
