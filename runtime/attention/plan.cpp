#include "runtime/attention/plan.h"

#include <algorithm>

#include "runtime/base/error.h"

namespace ranklint::runtime {

namespace {

QueryRange aligned_at_the_end(int64_t q_begin, int64_t q_end, int64_t k_begin, int64_t k_end, bool causal) {
  QueryRange range{.begin = q_begin, .end = q_end, .keys = {}};
  const int64_t diagonal = causal ? (k_end - k_begin) - (q_end - q_begin) : kEveryKey;
  if (k_end > k_begin) range.keys.push_back({.begin = k_begin, .end = k_end, .diagonal = diagonal});
  return range;
}

bool are_starts(std::span<const int64_t> starts) {
  return !starts.empty() && starts[0] == 0 && std::is_sorted(starts.begin(), starts.end());
}

// The sum over i in [0, queries) of clamp(i + diagonal + 1, 0, keys).
int64_t pairs(int64_t queries, int64_t keys, int64_t diagonal) {
  const int64_t first_seeing = std::clamp<int64_t>(-diagonal, 0, queries);
  const int64_t first_full = std::clamp<int64_t>(keys - diagonal - 1, first_seeing, queries);
  const int64_t ramp = first_full - first_seeing;
  return ramp * (first_seeing + diagonal + 1) + ramp * (ramp - 1) / 2 + (queries - first_full) * keys;
}

}  // namespace

AttentionPlan dense_plan(int64_t q_len, int64_t k_len, bool causal) {
  return {aligned_at_the_end(0, q_len, 0, k_len, causal)};
}

AttentionPlan packed_plan(std::span<const int64_t> q_starts, std::span<const int64_t> k_starts, bool causal) {
  if (!are_starts(q_starts) || !are_starts(k_starts) || q_starts.size() != k_starts.size())
    fail(ErrorKind::InvalidArgument,
         "packed lengths: starts of queries and of keys must begin with 0, ascend and be equally many");
  AttentionPlan plan;
  for (size_t i = 0; i + 1 < q_starts.size(); ++i)
    if (q_starts[i + 1] > q_starts[i])
      plan.push_back(aligned_at_the_end(q_starts[i], q_starts[i + 1], k_starts[i], k_starts[i + 1], causal));
  return plan;
}

int64_t visible_pairs(const AttentionPlan& plan) {
  int64_t total = 0;
  for (const QueryRange& range : plan)
    for (const KeyRange& keys : range.keys)
      total += pairs(range.end - range.begin, keys.end - keys.begin, keys.diagonal);
  return total;
}

}  // namespace ranklint::runtime
