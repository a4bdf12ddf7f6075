// Which positions of a sequence each part holds, and the masks that follow from it.
//
// A part holds, in local order, a few runs of positions. Nothing below assumes that the length divides: chunks are cut
// as torch.tensor_split cuts (the first n mod k are one longer), and may be empty.
//
//     Contiguous  part r holds the r-th of P chunks. Under a causal mask part 0 has the least work, the last the most.
//     Zigzag      2P chunks; part r holds chunks r and 2P-1-r: the same work for all (Llama 3 context parallelism; ring
//                 attention with zigzag blocks).
//     Striped     token t lies on part t mod P (W. Brandon et al., "Striped Attention", 2023).
//
// Whether a query sees a key is decided by their positions alone. Within a pair of runs of one stride s that is
// key <= query + floor((q0 - k0) / s) in local numbers: a diagonal, as plan.h has it. So the half blocks of zigzag and
// the strict masks of striped need no code of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/attention/plan.h"
#include "runtime/base/tensor.h"

namespace ranklint::runtime {

enum class Layout : uint8_t { Contiguous, Zigzag, Striped };

std::string_view name_of(Layout layout);

// `count` tokens at positions first, first + stride, ...
struct Run {
  int64_t first = 0, count = 0, stride = 1;

  bool operator==(const Run&) const = default;
};

// What `part` of `parts` holds.
std::vector<Run> runs_of(Layout layout, int64_t length, int parts, int part);

// Tokens [begin, end) of these runs, in local numbers.
std::vector<Run> sub_runs(const std::vector<Run>& runs, int64_t begin, int64_t end);

int64_t length_of(const std::vector<Run>& runs);

// Of things counted from 0: heads, tokens.
struct Interval {
  int64_t begin = 0, end = 0;
  int64_t length() const { return end - begin; }

  bool operator==(const Interval&) const = default;
};

// The i-th of `parts` pieces of n things as torch.tensor_split cuts them. RankError{InvalidArgument} where there is
// none, as in runs_of.
Interval split_piece(int64_t n, int64_t parts, int64_t i);

// Who sees whom, for queries that hold `queries` and keys that hold `keys`, each numbered in their order; all of one
// stride. `starts`: the documents of the sequence as in packed_plan, empty for a single one.
AttentionPlan plan_between(const std::vector<Run>& queries, const std::vector<Run>& keys, bool causal,
                           std::span<const int64_t> starts = {});

// The part's tokens of a whole tensor [batch, length, ...], and their way back: `shard` is a new [batch, local, ...],
// `unshard_into` writes one to its places. RankError{InvalidArgument} for runs that reach beyond `whole` and for a part
// of another shape or type.
Tensor shard(const Tensor& whole, const std::vector<Run>& runs);
void unshard_into(const Tensor& whole, const Tensor& part, const std::vector<Run>& runs);

}  // namespace ranklint::runtime
