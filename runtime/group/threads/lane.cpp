#include "runtime/group/threads/lane.h"

#include <cstring>

#include "runtime/group/fetch.h"

namespace ranklint::runtime {

bool Lane::has_room() {
  if (pushed_ - taken_seen_ < kSlots) return true;
  taken_seen_ = taken_.load(std::memory_order_acquire);
  return pushed_ - taken_seen_ < kSlots;
}

uint64_t Lane::push(const Call& call, uint64_t sequence, std::atomic<Fate>* fate) {
  if (!has_room()) return 0;
  Slot& slot = slots_[pushed_ % kSlots];
  const Tensor& tensor = call.in.front();
  const size_t size_bytes = tensor.size_bytes();
  Terms terms;
  set_terms(call, terms);
  describe(call, terms, slot.signature);
  slot.sequence = sequence;
  if (!fate && size_bytes != 0) std::memcpy(slot.bytes.data(), tensor.data(), size_bytes);
  // The line that the receiver may be looking at, at one go, and never read again (collectives/posting.h).
  slot.offer.data = tensor.data();
  slot.offer.fate = fate;
  slot.size_bytes = static_cast<uint32_t>(size_bytes);
  slot.tag = call.tag;
  slot.dtype = tensor.dtype();
  slot.number.store(++pushed_, std::memory_order_release);
  const Slot& after = slots_[pushed_ % kSlots];
  fetch_to_write(&after);
  if (!fate) fetch_to_write(after.bytes.data(), size_bytes);
  return pushed_;
}

}  // namespace ranklint::runtime
