#include "runtime/attention/gather_kv.h"

#include "runtime/attention/layout.h"

namespace ranklint::runtime {

namespace {

// All tokens in the order of the members that hold them.
std::vector<Run> all_runs(const RingPlan& plan) {
  std::vector<Run> all;
  for (const std::vector<Run>& runs : plan.runs) all.insert(all.end(), runs.begin(), runs.end());
  return all;
}

AttentionPlan plan_of(const ProcessGroup& group, const RingPlan& plan) {
  return plan_between(plan.runs[static_cast<size_t>(group.rank())], all_runs(plan), plan.causal, plan.starts);
}

// [batch, tokens of each member, heads, head_dim]
std::vector<Tensor> empty_pieces(const RingPlan& plan, const Tensor& like) {
  std::vector<Tensor> pieces;
  for (const std::vector<Run>& runs : plan.runs)
    pieces.push_back(
        Tensor::empty({like.size(0), length_of(runs), like.size(2), like.size(3)}, like.dtype(), like.device()));
  return pieces;
}

Tensor gathered(ProcessGroup& group, const Tensor& mine, const RingPlan& plan) {
  const std::vector<Tensor> pieces = empty_pieces(plan, mine);
  group.all_gather(pieces, mine);
  return Tensor::cat(pieces, 1);
}

Tensor scattered(ProcessGroup& group, const Tensor& whole, const Tensor& like, const RingPlan& plan) {
  std::vector<Tensor> pieces;
  int64_t begin = 0;
  for (const std::vector<Run>& runs : plan.runs) {
    pieces.push_back(whole.narrow(1, begin, length_of(runs)));
    begin += length_of(runs);
  }
  const Tensor mine = Tensor::empty(like.shape(), DType::F32, like.device());
  group.reduce_scatter(mine, pieces);
  return mine;
}

}  // namespace

AttentionOutput gather_kv_forward(ProcessGroup& group, const Tensor& q, const Tensor& k, const Tensor& v,
                                  const RingPlan& plan, const AttentionOptions& options) {
  const Tensor all_k = gathered(group, k, plan), all_v = gathered(group, v, plan);
  return attention_forward(q, all_k, all_v, plan_of(group, plan), options);
}

AttentionGradients gather_kv_backward(ProcessGroup& group, const Tensor& dout, const Tensor& q, const Tensor& k,
                                      const Tensor& v, const AttentionOutput& saved, const RingPlan& plan,
                                      const AttentionOptions& options) {
  const Tensor all_k = gathered(group, k, plan), all_v = gathered(group, v, plan);
  const AttentionGradients g =
      attention_backward(dout, q, all_k, all_v, saved.out, saved.lse, plan_of(group, plan), options);
  return {.dq = g.dq, .dk = scattered(group, g.dk, k, plan), .dv = scattered(group, g.dv, v, plan)};
}

}  // namespace ranklint::runtime
