// Messages on their way from one member to another: a ring between one who writes and one who reads, without a lock or
// an allocation. Of a small one the bytes lie here: the sender is done at once (Mode::Relaxed lets it), the receiver
// copies them out. Of a larger one only the place does: it is offered, copied once, and the sender stays until its fate
// is decided.
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
  static constexpr size_t kBytes = 1024;  // of the largest message that lies here
  static constexpr size_t kSlots = 8;

  // What has become of an offered message: copied by the receiver, or brought into the mailbox, where it waits.
  enum class Fate : uint32_t { Offered, Copied, BroughtIn };
  struct Offer {
    std::byte* data = nullptr;
    std::atomic<Fate>* fate = nullptr;  // the sender's, which looks at it until it is decided
  };

  struct alignas(128) Slot {
    std::atomic<uint64_t> number{0};  // of the message that lies here, from 1
    Offer offer;                      // without a fate its bytes lie here
    uint32_t size_bytes = 0;
    int32_t tag = 0;
    DType dtype = DType::F32;
    alignas(64) std::array<std::byte, kBytes> bytes;
    // What is only told, or brought into a mailbox; and the number of the sender's call.
    Signature signature;
    uint64_t sequence = 0;

    bool is_offered() const { return offer.fate != nullptr; }
  };

  // By the sender: the message's number, 0 when there is no room. With a fate the message is offered.
  uint64_t push(const Call& call, uint64_t sequence, std::atomic<Fate>* fate = nullptr);

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
