// Megatron's sequence parallelism (V. Korthikanti et al., "Reducing Activation Recomputation in Large Transformer
// Models", 2022) around tensor-parallel linear layers, over T ranks.
//
// Outside the layers each rank holds some of the tokens, whole; inside it holds all tokens, but a part of the features:
//
//     x  [tokens of this rank, in]          tokens are cut as torch.tensor_split cuts them: any number of them will do
//     column-parallel  w [out / T, in]      y [tokens, out / T] = all_gather(x) w^T
//     row-parallel     w [out, in / T]      y [tokens of this rank, out] = reduce_scatter(x w^T),  x [tokens, in / T]
//
// Stored as f32 or as bf16, of x's type; products and sums over the ranks are in f32 and rounded once.
//
// all_gather and reduce_scatter are each other's gradient. Only the shard of x is kept for the backward pass, which
// gathers it again while the gradient of x is computed. Sent by a rank for a layer pair, in units of (T-1)/T * tokens *
// features: forward 2, backward 3.
#pragma once

#include "runtime/attention/matmul.h"
#include "runtime/group/process_group.h"

namespace ranklint::runtime {

// Tokens of all members from those of each; [tokens, features]. And its gradient: sums over the members, in their
// order.
Tensor gather_sequence(ProcessGroup& group, const Tensor& shard, int64_t tokens);
Tensor reduce_scatter_sequence(ProcessGroup& group, const Tensor& partial);

struct LinearGradients {
  Tensor dx, dw;
};

Tensor column_parallel_forward(ProcessGroup& group, const Tensor& x_shard, const Tensor& w, int64_t tokens,
                               const MatmulOptions& options = {});
LinearGradients column_parallel_backward(ProcessGroup& group, const Tensor& dy, const Tensor& x_shard, const Tensor& w,
                                         const MatmulOptions& options = {});

Tensor row_parallel_forward(ProcessGroup& group, const Tensor& x, const Tensor& w, const MatmulOptions& options = {});
LinearGradients row_parallel_backward(ProcessGroup& group, const Tensor& dy_shard, const Tensor& x, const Tensor& w,
                                      const MatmulOptions& options = {});

struct MlpShape {
  int64_t tokens = 0, hidden = 0, inner = 0;
};

// y = gelu(x w1^T) w2^T with w1 column- and w2 row-parallel.
class ParallelMlp {
 public:
  struct Saved {
    Tensor x_shard, before, after;  // this rank's tokens; [tokens, inner / T] before and after gelu
  };
  struct Forward {
    Tensor y_shard;
    Saved saved;
  };
  struct Gradients {
    Tensor dx_shard, dw1, dw2;
  };

  // Collective: the same answer on every rank. Refused where ranks differ, a number is negative, or `inner` does not
  // divide by T; and by who is no member of the group.
  static Result<ParallelMlp> create(ProcessGroup group, const MlpShape& shape, const MatmulOptions& options = {});

  // w1: [inner / T, hidden], w2: [hidden, inner / T]; x, y, dy: this rank's tokens, [tokens of this rank, hidden].
  Forward forward(const Tensor& x_shard, const Tensor& w1, const Tensor& w2);
  Gradients backward(const Tensor& dy_shard, const Saved& saved, const Tensor& w1, const Tensor& w2);

 private:
  ParallelMlp() = default;
  ProcessGroup group_;
  MlpShape shape_;
  MatmulOptions options_;
};

// x * Phi(x), element by element, and its derivative times dy.
Tensor gelu(const Tensor& x);
Tensor gelu_backward(const Tensor& dy, const Tensor& x);

}  // namespace ranklint::runtime
