#include "runtime/attention/ring.h"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/attention/workspace.h"
#include "runtime/group/collectives/kernels.h"

namespace ranklint::runtime {

namespace {

constexpr int kKeysTag = 1, kGradientsTag = 3;  // and the next number, for the values

// A group of this rank alone need not be a group.
struct Place {
  explicit Place(const ProcessGroup& group) : size(std::max(group.size(), 1)), rank(std::max(group.rank(), 0)) {}
  int owner(int step) const { return (rank - step % size + size) % size; }  // of the keys at hand
  int next() const { return (rank + 1) % size; }
  int previous() const { return (rank + size - 1) % size; }
  int size, rank;
};

// Keys and values of one owner, or gradients for them.
struct Block {
  Tensor k, v;
};

Block empty_block(Workspace* workspace, const Tensor& like, int64_t tokens, DType dtype) {
  const Shape shape = {like.size(0), tokens, like.size(2), like.size(3)};
  return {empty_from(workspace, shape, dtype, like.device()), empty_from(workspace, shape, dtype, like.device())};
}

// One batch, so that nobody waits for anybody in a circle.
Work pass_on(ProcessGroup& group, const Place& place, const Block& send, const Block& receive, int tag) {
  const int next = group.global_rank(place.next()), previous = group.global_rank(place.previous());
  return group.batch({{.kind = P2POp::Kind::Send, .tensor = send.k, .peer = next, .tag = tag},
                      {.kind = P2POp::Kind::Send, .tensor = send.v, .peer = next, .tag = tag + 1},
                      {.kind = P2POp::Kind::Recv, .tensor = receive.k, .peer = previous, .tag = tag},
                      {.kind = P2POp::Kind::Recv, .tensor = receive.v, .peer = previous, .tag = tag + 1}},
                     {.async = true});
}

void check_runs(const Place& place, const RingPlan& plan) {
  if (plan.runs.size() != static_cast<size_t>(place.size))
    fail(ErrorKind::InvalidArgument, "a plan with the tokens of " + std::to_string(plan.runs.size()) +
                                         " members for a ring of " + std::to_string(place.size));
}

// The walk round the ring: what a step computes with, while the next keys are on their way.
template <typename Step>
void for_each_block(ProcessGroup& group, const Tensor& k, const Tensor& v, const RingPlan& plan, Workspace* workspace,
                    Step&& step) {
  const Place place(group);
  check_runs(place, plan);
  const std::vector<Run>& mine = plan.runs[static_cast<size_t>(place.rank)];
  Block block{k, v};
  for (int s = 0; s < place.size; ++s) {
    const bool more = s + 1 < place.size;
    Block next;
    Work exchange;
    if (more) {
      next = empty_block(workspace, k, length_of(plan.runs[static_cast<size_t>(place.owner(s + 1))]), k.dtype());
      exchange = pass_on(group, place, block, next, kKeysTag);
    }
    step(s, block, plan_between(mine, plan.runs[static_cast<size_t>(place.owner(s))], plan.causal, plan.starts));
    if (more) exchange.wait();
    block = next;
  }
}

void add(const Tensor& to, const Tensor& from) {
  std::byte* const sum = to.data();
  const std::byte* const terms[] = {sum, from.data()};
  reduce_elements({&sum, 1}, terms, static_cast<size_t>(to.numel()), DType::F32, ReduceOp::Sum);
}

void add(const Block& to, const Block& from) {
  add(to.k, from.k);
  add(to.v, from.v);
}

}  // namespace

AttentionOutput ring_forward(ProcessGroup& group, const Tensor& q, const Tensor& k, const Tensor& v,
                             const RingPlan& plan, const AttentionOptions& options) {
  AttentionOutput result;
  for_each_block(group, k, v, plan, options.workspace.get(),
                 [&](int step, const Block& block, const AttentionPlan& attention) {
                   if (step > 0 && visible_pairs(attention) == 0) return;
                   if (step == 0)
                     result = attention_forward(q, block.k, block.v, attention, options);
                   else
                     join_attention(q, block.k, block.v, attention, options, result);
                 });
  return result;
}

AttentionGradients ring_backward(ProcessGroup& group, const Tensor& dout, const Tensor& q, const Tensor& k,
                                 const Tensor& v, const AttentionOutput& saved, const RingPlan& plan,
                                 const AttentionOptions& options) {
  const Place place(group);
  Workspace* const workspace = options.workspace.get();
  const Tensor dq = empty_from(workspace, q.shape());
  // Gradients for this rank's own keys, as this rank finds them; for the keys at hand, as those before it on the ring
  // found them, then also this rank.
  Block home, travelling;
  const auto shift = [&](int next_step) {
    const Block arriving =
        empty_block(workspace, k, length_of(plan.runs[static_cast<size_t>(place.owner(next_step))]), DType::F32);
    return std::pair(arriving, pass_on(group, place, travelling, arriving, kGradientsTag));
  };
  for_each_block(group, k, v, plan, workspace, [&](int step, const Block& block, const AttentionPlan& attention) {
    // What the others found for these keys arrives while this rank computes its part.
    std::pair<Block, Work> arriving;
    if (step > 1) arriving = shift(step);
    const Block own = empty_block(workspace, block.k, block.k.size(1), DType::F32);
    if (step > 0 && visible_pairs(attention) == 0) {
      own.k.fill_(0);
      own.v.fill_(0);
    } else {
      attention_backward_from(block.k, block.v, dout, q, saved.out, saved.lse, attention, options,
                              step > 0 ? Dq::Add : Dq::Write, {.dq = dq, .dk = own.k, .dv = own.v});
    }
    if (step > 1) {
      arriving.second.wait();
      add(own, arriving.first);
    }
    (step == 0 ? home : travelling) = own;
  });
  if (place.size > 1) {
    std::pair<Block, Work> arriving = shift(0);
    arriving.second.wait();
    add(home, arriving.first);
  }
  return {.dq = dq, .dk = home.k, .dv = home.v};
}

}  // namespace ranklint::runtime
