// Attention over a spread sequence by gathering the keys (Llama 3's context parallelism; torch's default for context
// parallel): no ring, one local kernel over all keys. It takes any layout, any lengths and packed documents; its price
// is that every rank holds the keys of all.
//
// Sent by a rank, with n = its block of keys: forward 2 (P-1) n elements of k's type; backward that again (the gathered
// keys are not kept), and a reduce_scatter of dk and dv in f32, of all keys but its own.
#pragma once

#include "runtime/attention/ring.h"

namespace ranklint::runtime {

// As ring_forward and ring_backward take and give; `plan` likewise.
AttentionOutput gather_kv_forward(ProcessGroup& group, const Tensor& q, const Tensor& k, const Tensor& v,
                                  const RingPlan& plan, const AttentionOptions& options);

AttentionGradients gather_kv_backward(ProcessGroup& group, const Tensor& dout, const Tensor& q, const Tensor& k,
                                      const Tensor& v, const AttentionOutput& saved, const RingPlan& plan,
                                      const AttentionOptions& options);

}  // namespace ranklint::runtime
