// Programs from a seed.
#pragma once

#include "tests/random_programs/program.h"

namespace ranklint::random_programs {

struct Taste {
  bool locals = true;      // conditions on what a rank sees alone
  bool exceptions = true;  // what is raised and caught
};

Program generate(uint64_t seed, const Taste& taste = {});

}  // namespace ranklint::random_programs
