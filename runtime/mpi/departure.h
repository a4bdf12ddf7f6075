// A rank whose body leaves its process (std::exit) is a rank that has failed: the others hear of it as they hear of one
// that throws, and the job ends with a verdict. Lives while the body runs.
#pragma once

#include "runtime/mpi/process_world.h"

namespace ranklint::runtime {

class Departure {
 public:
  explicit Departure(ProcessWorld& world);
  ~Departure();
  Departure(const Departure&) = delete;
  Departure& operator=(const Departure&) = delete;
};

}  // namespace ranklint::runtime
