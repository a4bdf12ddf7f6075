// Entries of a group, made ahead, so that coming to one takes no lock and no allocation.
#pragma once

#include <array>
#include <memory>

#include "runtime/group/watch/entry.h"

namespace ranklint::runtime {

struct Segment {
  static constexpr size_t kEntries = 16;

  explicit Segment(size_t members);
  void reset(uint64_t first_sequence);

  std::array<Entry, kEntries> entries;
  std::unique_ptr<Posting[]> postings;
  Segment* next = nullptr;
  size_t users = 0;  // members that have not passed it, and asynchronous operations under way in it
};

}  // namespace ranklint::runtime
