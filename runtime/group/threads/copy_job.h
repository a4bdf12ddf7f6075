// The copying of a point-to-point message once both ends have met. The two ends share it: it is cut into chunks, and
// whoever waits takes the next.
#pragma once

#include "runtime/group/watch/transfer.h"

namespace ranklint::runtime {

class CopyJob {
 public:
  // What the bytes lie in, for as long as the job may be taken up by somebody.
  struct Keep {
    std::shared_ptr<const void> sent_ahead;
    Tensor send, recv;
  };

  CopyJob(std::byte* to, const std::byte* from, size_t size_bytes, Keep keep);

  void help();  // copies chunks until none is left to take
  bool finished() const { return copied_.load(std::memory_order_acquire) == chunks_; }

 private:
  std::byte* to_;
  const std::byte* from_;
  size_t size_bytes_;
  size_t chunks_;
  Keep keep_;
  std::atomic<size_t> taken_{0}, copied_{0};
};

// Takes its part of the copying and returns when all of it is done. Only for a ready transfer.
// `patience`: looks before giving the processor away.
void finish(Transfer& transfer, int patience);

}  // namespace ranklint::runtime
