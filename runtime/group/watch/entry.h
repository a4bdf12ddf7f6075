// The k-th collective of a group, as its members meet in it. A member lays its call open in a posting of its own and
// publishes it with the number k; it looks at the others' until all bear that number, and then goes on by itself. There
// is no counter that all write to: what a member waits for are the lines of those whom it waits for.
//
// When all have posted, each member sees the same postings and so comes to the same answer whether they agree.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "runtime/group/collectives/posting.h"

namespace ranklint::runtime {

struct Entry {
  std::span<Posting> postings;
  std::atomic<bool> disputed{false};  // two postings differ: it will never be carried out

  bool has_posted(size_t member, uint64_t sequence) const {
    return postings[member].posted.load(std::memory_order_seq_cst) == sequence;
  }
  bool all_posted(uint64_t sequence) const {
    return std::all_of(postings.begin(), postings.end(), [&](const Posting& posting) {
      return posting.posted.load(std::memory_order_seq_cst) == sequence;
    });
  }
};

}  // namespace ranklint::runtime
