// Process groups that are made and that nothing is done on: what holds for them holds for no operation.
#pragma once

#include "analyzer/questions/calls.h"
#include "analyzer/resolve/index.h"
#include "analyzer/resolve/roles.h"

namespace ranklint {

// Whether nothing is done with what the call gives: not in its function, and not through the variable of a module in
// which it is kept there. That somebody asks whether it is there, or which ranks are in it, is nothing.
bool is_used_nowhere(const ProjectIndex& index, const Roles& roles, const CallSite& call);

}  // namespace ranklint
