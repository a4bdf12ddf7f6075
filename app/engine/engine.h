// The analysis that the program runs: the frontends, the project, the rules.
#pragma once

#include "app/check/engine.h"

namespace ranklint::app {

Engine real_engine();

}  // namespace ranklint::app
