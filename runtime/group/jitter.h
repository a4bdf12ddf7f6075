// Random short delays before each call, from a seed: other schedules of the same program.
#pragma once

#include <cstdint>

namespace ranklint::runtime {

class Jitter {
 public:
  Jitter(uint64_t seed, int rank);  // seed 0: no delays
  void delay() {
    if (on_) wait_at_random();
  }

 private:
  void wait_at_random();
  uint64_t next();

  bool on_;
  uint64_t state_;
};

}  // namespace ranklint::runtime
