// The ways in which ranks exchange messages in real programs, right or with one thing wrong.
#pragma once

#include <functional>

#include "tests/random_programs/program.h"

namespace ranklint::random_programs {

using Below = std::function<int(int)>;  // a number from 0 to below the argument

std::vector<Statement> generate_exchange(const Below& below, bool in_loop_over_others);

}  // namespace ranklint::random_programs
