// softmax(scale * Q K^T + mask) V on one rank, forward and backward, without ever holding the matrix of scores.
//
// Shapes, everywhere in this folder, row-major:
//
//     q, dout, out, dq   [batch, q_len, heads, head_dim]
//     k, v, dk, dv       [batch, k_len, kv_heads, head_dim]
//     lse                [batch, heads, q_len], f64: ln of the sum over visible keys of exp(scale * q . k); -inf if
//     none
//
// q, k, v, dout may be float32, bfloat16 or float16 (one type for all); all arithmetic is f32 and all other results are
// f32: whoever wants them rounded calls `.to(dtype)` once, at the end. lse alone is f64, because the backward pass
// takes exp(s - lse): what f32 would round off a log-sum-exp of 8 is four times the relative error of everything else
// in p. `out` is 0 where a query sees nothing. Inputs must be finite. Query head g reads KV head floor(g * kv_heads /
// heads) unless options.kv_head_of says otherwise.
//
// Results are the same bits on every run and for every number of threads. Errors: RankError{InvalidArgument} for shapes
// that do not fit together, RankError{Unsupported} for other element types.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/attention/plan.h"
#include "runtime/base/tensor.h"

namespace ranklint::runtime {

class Workspace;
struct Kernel;

struct AttentionOptions {
  std::optional<float> scale{};    // 1 / sqrt(head_dim) unless given
  int threads = 1;                 // of this rank
  std::vector<int> kv_head_of{};   // KV head of each query head; empty: the rule above
  const Kernel* kernel = nullptr;  // null: best_kernel()
  std::shared_ptr<Workspace>
      workspace{};  // keeps memory and threads from call to call (workspace.h); null: fresh ones each time
};

struct AttentionOutput {
  Tensor out, lse;
};

struct AttentionGradients {
  Tensor dq, dk, dv;
};

AttentionOutput attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionPlan& plan,
                                  const AttentionOptions& options = {});

// `out` and `lse` are the forward pass's, over ALL keys that the queries see.
AttentionGradients attention_backward(const Tensor& dout, const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Tensor& out, const Tensor& lse, const AttentionPlan& plan,
                                      const AttentionOptions& options = {});

// The pieces that the sequence-parallel variants are made of.

// into := `into`, attention over other keys, joined with attention over these. With log-sum-exps a and b the whole has
// ln(e^a + e^b), and its output is the two outputs weighted by e^(a - whole) and e^(b - whole). The order matters to
// the bits: callers join in a fixed order, never as blocks arrive. A side that saw nothing (-inf) has weight 0 and
// changes no value; two of them stay 0 and -inf, where the published form (sigmoid of the difference) gives NaN.
void join_attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionPlan& plan,
                    const AttentionOptions& options, const AttentionOutput& into);

// The gradients from these keys, which may be some of those that the queries see; `out` and `lse` are over all of them,
// as above. dk and dv are written, dq is written or added to; all are f32.
enum class Dq : uint8_t { Write, Add };
void attention_backward_from(const Tensor& k, const Tensor& v, const Tensor& dout, const Tensor& q, const Tensor& out,
                             const Tensor& lse, const AttentionPlan& plan, const AttentionOptions& options, Dq dq,
                             const AttentionGradients& into);

}  // namespace ranklint::runtime
