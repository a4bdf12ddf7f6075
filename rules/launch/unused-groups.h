// Process groups that are made and that nothing is done on: what holds for them holds for no operation.
#pragma once

#include "analyzer/questions/calls.h"
#include "analyzer/resolve/index.h"
#include "analyzer/resolve/roles.h"

namespace ranklint {

// Whether nothing is done with what the call returns: not in its function, and not through the variable of a module
// that keeps it. A test of its presence, or of its ranks, is no use.
bool is_used_nowhere(const ProjectIndex& index, const Roles& roles, const CallSite& call);

}  // namespace ranklint
