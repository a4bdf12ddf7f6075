// The command line: arguments in, exit status out.
#pragma once

#include <string>
#include <vector>

#include "app/cli/engine.h"
#include "app/cli/io.h"

namespace ranklint::app {

inline constexpr int kClean = 0;
inline constexpr int kFindings = 1;
inline constexpr int kFailure = 2;  // wrong usage, or an error of the tool

// `args` without the program's name. Never throws.
int run(const std::vector<std::string>& args, Io& io, const Engine& engine);

}  // namespace ranklint::app
