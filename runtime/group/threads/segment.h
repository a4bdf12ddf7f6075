// Entries of a group, made ahead, so that coming to one takes no lock and no allocation. Nothing is written to one
// before it is used again: what lies there bears an older number.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/group/watch/entry.h"

namespace ranklint::runtime {

struct Segment {
  static constexpr size_t kEntries = 16;

  explicit Segment(size_t members);

  Entry& entry_of(uint64_t sequence) { return entries[(sequence - 1) % kEntries]; }

  std::array<Entry, kEntries> entries;
  std::unique_ptr<Posting[]> postings;
  std::atomic<Segment*> next{nullptr};
  // Members that have not passed it and handed it back, and asynchronous operations under way in it. Who takes it to 0
  // hands it back.
  alignas(64) std::atomic<size_t> users{0};
};

// Those of one group: a chain, of which what nobody uses any more is used again. Each member comes to the same segment
// after the same one.
class Segments {
 public:
  explicit Segments(size_t members) : members_(members), first_(fresh()) {}

  Segment& first() { return first_; }  // where all begin
  // The first to come makes it: the one lock of the fast path.
  Segment& after(Segment& segment);
  void release(Segment& segment);  // by one of its users

 private:
  Segment& fresh();

  size_t members_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Segment>> all_;
  std::vector<Segment*> unused_;
  Segment& first_;
};

}  // namespace ranklint::runtime
