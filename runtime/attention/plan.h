// Who attends to whom, as data: which ranges of keys each range of queries sees.
//
// One form covers plain, causal, packed (several documents in one row) and sharded attention: within a pair of ranges,
// query q_begin + i sees key k_begin + j iff j <= i + diagonal. The sequence-parallel variants derive their masks from
// the positions that each rank holds (layout.h), so that no variant has a mask of its own.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace ranklint::runtime {

// A diagonal that hides nothing, and the largest that there is; none is below its negative.
inline constexpr int64_t kEveryKey = std::numeric_limits<int32_t>::max();

struct KeyRange {
  int64_t begin = 0, end = 0;  // indices into the keys at hand
  int64_t diagonal = kEveryKey;

  bool operator==(const KeyRange&) const = default;
};

struct QueryRange {
  int64_t begin = 0, end = 0;    // indices into the queries at hand
  std::vector<KeyRange> keys{};  // in ascending order, disjoint; empty: these queries see nothing

  bool operator==(const QueryRange&) const = default;
};

// The same for every row of the batch and every head. Ranges of queries are disjoint, in any order; a query in none
// sees nothing. Who computes with a plan refuses one that does not keep to this.
using AttentionPlan = std::vector<QueryRange>;

// All queries against all keys. Causal: the last query sees every key (the masks' lower right corners meet), so with
// more queries than keys the first ones see nothing.
AttentionPlan dense_plan(int64_t q_len, int64_t k_len, bool causal);

// Documents laid end to end: document i has queries [q_starts[i], q_starts[i + 1]) and keys likewise, each causal as
// above. Lengths of 0 are allowed. Throws RankError{InvalidArgument} unless both begin with 0, ascend and are equally
// long.
AttentionPlan packed_plan(std::span<const int64_t> q_starts, std::span<const int64_t> k_starts, bool causal);

// How many (query, key) pairs a plan computes: 4 * head_dim operations each forward, 10 * head_dim backward.
int64_t visible_pairs(const AttentionPlan& plan);

}  // namespace ranklint::runtime
