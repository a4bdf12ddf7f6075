// How Ulysses divides heads over the members of a group, or why it can not.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/attention/layout.h"
#include "runtime/base/error.h"

namespace ranklint::runtime {

// What each member computes with. KV heads that several members need are sent to each of them, and their gradients are
// summed over the members.
struct HeadSplit {
  std::vector<Interval> q_heads, kv_heads;  // [members]

  // The KV head, counted from the member's first, that each of the member's query heads reads.
  std::vector<int> kv_head_of(int64_t heads, int64_t kv_heads_in_all, int member) const;
};

// Even: kv_heads divides by members. Repeated: members divides by kv_heads, each KV head goes to members / kv_heads of
// them. Otherwise, and where heads do not divide by members, only `allow_uneven` splits them (the first heads mod
// members get one more). Fewer heads than members is always refused.
Result<HeadSplit> split_heads(int64_t heads, int64_t kv_heads, int members, bool allow_uneven);

}  // namespace ranklint::runtime
