#include "runtime/group/threads/segment.h"

namespace ranklint::runtime {

Segment::Segment(size_t members) : postings(std::make_unique<Posting[]>(kEntries * members)) {
  for (size_t i = 0; i < kEntries; ++i) entries[i].postings = {&postings[i * members], members};
}

void Segment::reset(uint64_t first_sequence) {
  for (Entry& entry : entries) {
    entry.arrived.store(0, std::memory_order_relaxed);
    entry.done.store(0, std::memory_order_relaxed);
    entry.sequence = first_sequence++;
    for (Posting& posting : entry.postings) clear(posting);
  }
  next = nullptr;
  users = entries.front().postings.size();
}

}  // namespace ranklint::runtime
