// The k-th collective of a group, as its members meet in it: a member fills its own posting, compares it with those that
// lie there already, and counts itself in.
#pragma once

#include <atomic>
#include <cstdint>
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
};

}  // namespace ranklint::runtime
