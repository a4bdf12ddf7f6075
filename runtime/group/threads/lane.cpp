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
  set_terms(call, slot.terms);
  describe(call, slot.terms, slot.signature);
  slot.tag = call.tag;
  slot.sequence = sequence;
  slot.size_bytes = static_cast<uint32_t>(tensor.size_bytes());
  slot.offered = fate != nullptr;
  const Offer offer{tensor.data(), fate};
  if (fate)
    std::memcpy(slot.bytes.data(), &offer, sizeof offer);
  else if (slot.size_bytes != 0)
    std::memcpy(slot.bytes.data(), tensor.data(), slot.size_bytes);
  slot.number.store(++pushed_, std::memory_order_seq_cst);
  const Slot& after = slots_[pushed_ % kSlots];
  fetch_to_write(&after);
  fetch_to_write(after.bytes.data(), slot.offered ? sizeof offer : slot.size_bytes);
  return pushed_;
}

}  // namespace ranklint::runtime
