// Small messages on their way from one member to another: a ring between one who writes and one who reads, without a lock
// or an allocation. The sender is done when its bytes lie here (Mode::Relaxed lets it), the receiver copies them out.
//
// A slot bears the number of its message, written last, so that neither side writes what the other one waits for except
// that: a message costs the slot's first line, its bytes, and once in kSlots messages the line that says how many have
// been taken. Of slots there are few: a sender that is far ahead goes through the mailbox instead.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "runtime/group/signature.h"

namespace ranklint::runtime {

class Lane {
 public:
  static constexpr size_t kBytes = 1024;  // of the largest message
  static constexpr size_t kSlots = 8;

  struct alignas(128) Slot {
    std::atomic<uint64_t> number{0};  // of the message that lies here, from 1
    uint64_t sequence = 0;            // of the sender's call
    uint32_t size_bytes = 0;
    int32_t tag = 0;
    Terms terms;
    alignas(64) std::array<std::byte, kBytes> bytes;
    Signature signature;  // the terms again, and what a verdict tells
  };

  // By the sender: false when there is no room.
  bool push(const Call& call, uint64_t sequence);

  // By the receiver, one thread at a time.
  bool has_next() const { return next().number.load(std::memory_order_seq_cst) == taken() + 1; }
  const Slot& next() const { return slots_[taken() % kSlots]; }
  void pop() { taken_.store(taken() + 1, std::memory_order_release); }

 private:
  bool has_room();
  uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

  alignas(64) uint64_t pushed_ = 0;  // the sender's alone,
  uint64_t taken_seen_ = 0;          // and what it last saw of:
  alignas(64) std::atomic<uint64_t> taken_{0};
  std::array<Slot, kSlots> slots_;
};

}  // namespace ranklint::runtime
