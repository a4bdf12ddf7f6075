// Programs from a seed.
#pragma once

#include "tests/random_programs/program.h"

namespace ranklint::random_programs {

struct Taste {
  bool locals = true;      // conditions on what a rank sees alone
  bool exceptions = true;  // what is raised and caught
  bool messages = false;   // from rank to rank; other groups than the world are rare then
};

Program generate(uint64_t seed, const Taste& taste = {});

}  // namespace ranklint::random_programs
