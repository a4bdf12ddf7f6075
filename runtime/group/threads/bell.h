// What a rank sleeps on. `ring` wakes it, however often and from wherever; a ring between reading `count` and sleeping
// is not lost.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/group/watch/deadline.h"

namespace ranklint::runtime {

class Bell {
 public:
  uint32_t count() const { return count_.load(std::memory_order_seq_cst); }
  void ring();
  // Returns when the count is no longer `seen`, at the deadline, or for no reason.
  void sleep(uint32_t seen, Deadline deadline);

 private:
  std::atomic<uint32_t> count_{0};
};

}  // namespace ranklint::runtime
