// Functions that are run when a signal comes.
#pragma once

#include "analyzer/resolve/index.h"

namespace ranklint {

// Whether its module hands it to `signal.signal`, by its name.
bool is_signal_handler(const ProjectIndex& index, FunctionKey f);

}  // namespace ranklint
