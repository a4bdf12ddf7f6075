// One end of a point-to-point message.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/group/signature.h"

namespace ranklint::runtime {

class CopyJob;

struct Transfer {
  enum class Met : uint8_t { No, Fits, Disputed };  // the other end, and does it fit

  Transfer() = default;
  Transfer(int member, const Call& call, uint64_t k);

  Signature signature;
  std::string name, implicit_in;  // what the signature's views look at: a send may outlive its call
  int from = 0, to = 0;           // members; `from` may be kAnySource
  uint64_t record = 0;            // in the rank's flight record
  uint64_t fingerprint = 0;       // of what an asynchronous send reads
  uint64_t sequence = 0;          // the k-th point-to-point call of this rank on this group, from 1
  std::byte* data = nullptr;
  size_t size_bytes = 0;
  Tensor tensor;  // of an asynchronous operation: keeps `data` alive; a blocking one waits or takes it back
  std::atomic<Met> met{Met::No};  // set once, by whoever comes second

  // Where ranks are threads:
  std::shared_ptr<std::vector<std::byte>> sent_ahead;  // the bytes of a send that does not wait for its receiver
  std::shared_ptr<CopyJob> job;                        // of two ends that fit; set before `met`

  bool is_send() const { return signature.op == OpType::Send; }
  bool ready() const { return met.load(std::memory_order_acquire) == Met::Fits; }
  bool disputed() const { return met.load(std::memory_order_acquire) == Met::Disputed; }
};

// Of an asynchronous send: has what it reads been changed since the call? And the call, as a verdict tells it.
bool was_changed(const Transfer& send);
Call call_of(const Transfer& send);

// May this send and this receive be one message? In the order of their coming the first that may are.
bool may_meet(const Transfer& send, const Transfer& recv);

}  // namespace ranklint::runtime
