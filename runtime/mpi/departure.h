// A rank whose body leaves its process (std::exit) or ends its thread (pthread_exit) is a rank that has failed: the
// others hear of it as they hear of one that throws, and the job ends with a verdict. Lives while the body runs.
#pragma once

#include "runtime/mpi/process_world.h"

namespace ranklint::runtime {

class Departure {
 public:
  explicit Departure(ProcessWorld& world);
  ~Departure();  // when the body has not ended by itself, the end of this process
  Departure(const Departure&) = delete;
  Departure& operator=(const Departure&) = delete;

  void body_has_ended() { ended_ = true; }

 private:
  ProcessWorld& world_;
  bool ended_ = false;
};

}  // namespace ranklint::runtime
