#include "runtime/group/threads/segment.h"

namespace ranklint::runtime {

Segment::Segment(size_t members) : postings(std::make_unique<Posting[]>(kEntries * members)) {
  for (size_t i = 0; i < kEntries; ++i) entries[i].postings = {&postings[i * members], members};
}

}  // namespace ranklint::runtime
