#include "runtime/group/threads/segment.h"

#include "runtime/group/threads/pause.h"

namespace ranklint::runtime {

Segment::Segment(size_t members) : postings(std::make_unique<Posting[]>(kEntries * members)) {
  for (size_t i = 0; i < kEntries; ++i) entries[i].postings = {&postings[i * members], members};
}

Segment& Segments::fresh() {
  if (unused_.empty()) {
    all_.push_back(std::make_unique<Segment>(members_));
    unused_.push_back(all_.back().get());
  }
  Segment& segment = *unused_.back();
  unused_.pop_back();
  segment.next.store(nullptr, std::memory_order_relaxed);
  segment.users.store(members_, std::memory_order_relaxed);
  return segment;
}

Segment& Segments::after(Segment& segment) {
  if (Segment* next = segment.next.load(std::memory_order_acquire)) return *next;
  const auto lock = lock_patiently(mutex_);
  if (Segment* next = segment.next.load(std::memory_order_acquire)) return *next;
  Segment& next = fresh();
  segment.next.store(&next, std::memory_order_release);
  return next;
}

void Segments::release(Segment& segment) {
  if (segment.users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const auto lock = lock_patiently(mutex_);
  unused_.push_back(&segment);
}

}  // namespace ranklint::runtime
