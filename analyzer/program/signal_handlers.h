// Functions that are run when a signal comes.
#pragma once

#include "analyzer/resolve/index.h"
#include "analyzer/resolve/roles.h"

namespace ranklint {

// Whether its module hands it, by its name, to what handles signals.
bool is_signal_handler(const ProjectIndex& index, const Roles& roles, FunctionKey f);

}  // namespace ranklint
