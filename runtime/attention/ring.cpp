#include "runtime/attention/ring.h"

#include <algorithm>
#include <utility>

#include "runtime/attention/merge.h"

namespace ranklint::runtime {

namespace {

constexpr int kKeysTag = 1, kGradientsTag = 2;

// A group of this rank alone need not be a group.
struct Place {
  explicit Place(const ProcessGroup& group) : size(std::max(group.size(), 1)), rank(std::max(group.rank(), 0)) {}
  int owner(int step) const { return (rank - step % size + size) % size; }  // of the keys at hand
  int next() const { return (rank + 1) % size; }
  int previous() const { return (rank + size - 1) % size; }
  int size, rank;
};

// Keys and values of one owner in one tensor, [2, batch, tokens, heads, head_dim], so that a step sends one message.
struct Block {
  static Block of(const Tensor& k, const Tensor& v) {
    Shape shape = k.shape();
    shape.insert(shape.begin(), 1);
    return {Tensor::cat({k.reshape(shape), v.reshape(shape)}, 0)};
  }
  static Block empty_like(const Tensor& k, int64_t tokens, DType dtype) {
    return {Tensor::empty({2, k.size(0), tokens, k.size(2), k.size(3)}, dtype, k.device())};
  }
  Tensor half(int64_t which) const {
    const Shape& s = both.shape();
    return both.narrow(0, which, 1).reshape({s[1], s[2], s[3], s[4]});
  }
  Tensor k() const { return half(0); }
  Tensor v() const { return half(1); }

  Tensor both;
};

Work pass_on(ProcessGroup& group, const Place& place, const Block& send, const Block& receive, int tag) {
  return group.batch({{.kind = P2POp::Kind::Send, .tensor = send.both, .peer = group.global_rank(place.next()), .tag = tag},
                      {.kind = P2POp::Kind::Recv, .tensor = receive.both, .peer = group.global_rank(place.previous()), .tag = tag}},
                     {.async = true});
}

// The walk round the ring: what a step computes with, while the next keys are on their way.
template <typename Step>
void for_each_block(ProcessGroup& group, const Tensor& k, const Tensor& v, const RingPlan& plan, Step&& step) {
  const Place place(group);
  const std::vector<Run>& mine = plan.runs[static_cast<size_t>(place.rank)];
  Block block = Block::of(k, v);
  for (int s = 0; s < place.size; ++s) {
    const bool more = s + 1 < place.size;
    Block next;
    Work exchange;
    if (more) {
      next = Block::empty_like(k, length_of(plan.runs[static_cast<size_t>(place.owner(s + 1))]), k.dtype());
      exchange = pass_on(group, place, block, next, kKeysTag);
    }
    step(s, block, plan_between(mine, plan.runs[static_cast<size_t>(place.owner(s))], plan.causal, plan.starts));
    if (more) exchange.wait();
    block = next;
  }
}

void add(const Tensor& to, const Tensor& from) {
  const auto a = to.as<float>();
  const auto b = from.as<float>();
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
}

}  // namespace

AttentionOutput ring_forward(ProcessGroup& group, const Tensor& q, const Tensor& k, const Tensor& v, const RingPlan& plan,
                             const AttentionOptions& options) {
  AttentionOutput result;
  for_each_block(group, k, v, plan, [&](int step, const Block& block, const AttentionPlan& attention) {
    if (step > 0 && visible_pairs(attention) == 0) return;
    const AttentionOutput part = attention_forward(q, block.k(), block.v(), attention, options);
    if (step == 0) result = part;
    else merge_into(result, part);
  });
  return result;
}

AttentionGradients ring_backward(ProcessGroup& group, const Tensor& dout, const Tensor& q, const Tensor& k, const Tensor& v,
                                 const AttentionOutput& saved, const RingPlan& plan, const AttentionOptions& options) {
  const Place place(group);
  const Tensor delta = attention_delta(dout, saved.out), dq = Tensor::zeros(q.shape());
  Block travelling;  // gradients for the keys at hand: those before this rank on the ring, then also this rank
  const auto shift = [&](int next_step) {
    const Block arriving = Block::empty_like(k, length_of(plan.runs[static_cast<size_t>(place.owner(next_step))]), DType::F32);
    return std::pair(arriving, pass_on(group, place, travelling, arriving, kGradientsTag));
  };
  for_each_block(group, k, v, plan, [&](int step, const Block& block, const AttentionPlan& attention) {
    const Block own{Tensor::zeros(block.both.shape())};
    // What the others found for these keys arrives while this rank computes its part.
    std::pair<Block, Work> arriving;
    if (step > 0) arriving = shift(step);
    if (visible_pairs(attention) > 0)
      attention_backward_add(dout, q, block.k(), block.v(), saved.lse, delta, attention, options,
                             {.dq = dq, .dk = own.k(), .dv = own.v()});
    if (step > 0) {
      arriving.second.wait();
      add(own.both, arriving.first.both);
    }
    travelling = own;
  });
  if (place.size > 1) {
    std::pair<Block, Work> home = shift(0);
    home.second.wait();
    travelling = home.first;
  }
  return {.dq = dq, .dk = travelling.k(), .dv = travelling.v()};
}

}  // namespace ranklint::runtime
