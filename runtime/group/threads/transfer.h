// One end of a point-to-point message, and the copying once both ends have met. The two ends share the copying: it is cut
// into chunks, and whoever waits takes the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/group/signature.h"

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

struct Transfer {
  Signature signature;
  std::string name, implicit_in;  // what the signature's views look at: a send may outlive its call
  int from = 0, to = 0;  // members; `from` may be kAnySource
  uint64_t record = 0;       // in the rank's flight record
  uint64_t fingerprint = 0;  // of what an asynchronous send reads
  uint64_t sequence = 0;     // the k-th point-to-point call of this rank on this group, from 1
  std::byte* data = nullptr;
  size_t size_bytes = 0;
  Tensor tensor;  // of an asynchronous operation: keeps `data` alive; a blocking one waits or takes it back
  std::shared_ptr<std::vector<std::byte>> sent_ahead;  // the bytes of a send that does not wait for its receiver
  // Set once, by whoever comes second, before `matched`.
  std::shared_ptr<CopyJob> job;  // none when the two ends do not fit
  std::atomic<bool> matched{false};

  bool ready() const { return matched.load(std::memory_order_acquire) && job; }
  bool disputed() const { return matched.load(std::memory_order_acquire) && !job; }
};

// Takes its part of the copying and returns when all of it is done. Only for a ready transfer.
// `patience`: looks before giving the processor away.
void finish(Transfer& transfer, int patience);

}  // namespace ranklint::runtime
