// Entries of a group, made ahead, so that coming to one takes no lock and no allocation. Nothing is written to one before
// it is used again: what lies there bears an older number.
#pragma once

#include <array>
#include <memory>

#include "runtime/group/watch/entry.h"

namespace ranklint::runtime {

struct Segment {
  static constexpr size_t kEntries = 16;

  explicit Segment(size_t members);

  Entry& entry_of(uint64_t sequence) { return entries[(sequence - 1) % kEntries]; }

  std::array<Entry, kEntries> entries;
  std::unique_ptr<Posting[]> postings;
  std::atomic<Segment*> next{nullptr};
  // Members that have not passed it and handed it back, and asynchronous operations under way in it. Who takes it to 0 hands it back.
  alignas(64) std::atomic<size_t> users{0};
};

}  // namespace ranklint::runtime
