// The k-th collective of a group, as its members meet in it. Entries are made ahead in segments, so that coming to one
// takes no lock and no allocation: a member fills its own posting, compares it with those that lie there already, and
// counts itself in.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "runtime/group/collectives/posting.h"

namespace ranklint::runtime {

struct Entry {
  static constexpr uint32_t kDisputed = 1U << 30;   // two postings differ: it will never be carried out
  static constexpr uint32_t kAbandoned = 1U << 31;  // a member gave up before all had come

  alignas(64) std::atomic<uint32_t> arrived{0};  // members that have posted, and the two flags
  alignas(64) std::atomic<uint32_t> done{0};     // shares carried out
  uint64_t sequence = 0;
  std::span<Posting> postings;

  bool all_arrived() const { return arrived.load(std::memory_order_acquire) == postings.size(); }
  bool disputed() const { return (arrived.load(std::memory_order_acquire) & kDisputed) != 0; }
  bool all_inlined() const;
};

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
