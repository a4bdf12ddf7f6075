// The command line: arguments in, exit status out.
#pragma once

#include <string>
#include <vector>

#include "app/check/engine.h"
#include "app/check/io.h"

namespace ranklint::app {

// `args` without the program's name. Never throws.
int run(const std::vector<std::string>& args, Io& io, const Engine& engine);

}  // namespace ranklint::app
