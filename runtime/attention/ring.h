// Ring attention (H. Liu, M. Zaharia, P. Abbeel, "Ring Attention with Blockwise Transformers", 2023) over P ranks.
//
// Before: each rank holds q, k, v of its own tokens. Step s = 0 .. P-1: rank r attends to the keys of rank (r - s) mod
// P, while it passes them on to r + 1 and receives the next ones from r - 1: P - 1 exchanges, made whatever the mask
// hides, since skipping one would leave a neighbour waiting. Results of the steps are merged in the order of the steps.
//
// Backward: the keys go round again. Gradients of a block of keys travel with it, in f32, each rank but its owner
// adding its part, and then home; the owner's part waits there. (Elsewhere it travels too, and it takes P shifts.) dq
// stays at home.
//
// Sent by a rank, with n = its block of keys: forward (P-1) * 2n elements of k's type; backward the same, and as many
// of f32.
#pragma once

#include <vector>

#include "runtime/attention/attention.h"
#include "runtime/attention/layout.h"
#include "runtime/group/process_group.h"

namespace ranklint::runtime {

struct RingPlan {
  std::vector<std::vector<Run>> runs;  // [members], else RankError{InvalidArgument}: what each holds
  bool causal = false;
  std::vector<int64_t> starts{};  // documents of the whole sequence, or empty
};

// q, k, v: this rank's tokens. A group of size 1 sends nothing; a default-made one stands for this rank alone.
AttentionOutput ring_forward(ProcessGroup& group, const Tensor& q, const Tensor& k, const Tensor& v,
                             const RingPlan& plan, const AttentionOptions& options);

AttentionGradients ring_backward(ProcessGroup& group, const Tensor& dout, const Tensor& q, const Tensor& k,
                                 const Tensor& v, const AttentionOutput& saved, const RingPlan& plan,
                                 const AttentionOptions& options);

}  // namespace ranklint::runtime
