// This runtime's candidates.
#include <memory>

#include "bench/attention/candidate.h"
#include "bench/attention/crew.h"
#include "runtime/attention/attention.h"
#include "runtime/attention/matmul.h"
#include "runtime/attention/sequence_parallel.h"
#include "runtime/attention/workspace.h"

namespace ranklint::bench {

namespace rt = ranklint::runtime;

namespace {

struct Tensors {
  rt::Tensor q, k, v, dout;
};

rt::Tensor tensor_of(const Problem& p, const std::vector<float>& values) {
  const rt::Tensor whole = rt::Tensor::from<float>(values, {1, p.heads, p.length, p.head_dim}).permute({0, 2, 1, 3});
  return p.bf16 ? whole.to(rt::DType::BF16) : whole;
}

Tensors tensors_of(const Problem& p) {
  return {tensor_of(p, p.q), tensor_of(p, p.k), tensor_of(p, p.v), tensor_of(p, p.dout)};
}

rt::AttentionPlan plan_of(const Problem& p) { return rt::dense_plan(p.length, p.length, p.causal); }

// Every candidate keeps its memory.
rt::AttentionOptions options_of(const Problem& p) {
  return {.threads = p.threads, .workspace = std::make_shared<rt::Workspace>()};
}

Tensors shard_of(const Tensors& whole, const std::vector<rt::Run>& runs) {
  return {rt::shard(whole.q, runs), rt::shard(whole.k, runs), rt::shard(whole.v, runs), rt::shard(whole.dout, runs)};
}

// The cutting of the inputs is not timed.
Candidate spread(const Problem& p, int ulysses, int ring, rt::Layout layout) {
  const rt::SequenceShape shape{.length = p.length,
                                .heads = p.heads,
                                .kv_heads = p.heads,
                                .head_dim = p.head_dim,
                                .dtype = p.bf16 ? rt::DType::BF16 : rt::DType::F32,
                                .causal = p.causal,
                                .layout = layout};
  const auto crew = std::make_shared<Crew>(ulysses * ring, [=, whole = tensors_of(p)](rt::RankContext& context) {
    const rt::ProcessGroup none;
    const auto made =
        rt::SequenceParallel::create(ulysses > 1 ? context.world() : none, ring > 1 ? context.world() : none, shape);
    const auto attention = std::make_shared<rt::SequenceParallel>(*made);
    return [attention, mine = shard_of(whole, attention->runs())] {
      const rt::SequenceParallel::Forward f = attention->forward(mine.q, mine.k, mine.v);
      attention->backward(mine.dout, f.saved);
    };
  });
  return {forward_operations(p) + backward_operations(p), [crew] { crew->run_once(); }};
}

}  // namespace

Candidate runtime_forward(const Problem& p) {
  return {forward_operations(p), [t = tensors_of(p), plan = plan_of(p), options = options_of(p)] {
            rt::attention_forward(t.q, t.k, t.v, plan, options);
          }};
}

Candidate runtime_backward(const Problem& p) {
  const Tensors t = tensors_of(p);
  const rt::AttentionPlan plan = plan_of(p);
  const rt::AttentionOptions options = options_of(p);
  const rt::AttentionOutput saved = rt::attention_forward(t.q, t.k, t.v, plan, options);
  return {backward_operations(p),
          [=] { rt::attention_backward(t.dout, t.q, t.k, t.v, saved.out, saved.lse, plan, options); }};
}

Candidate runtime_both(const Problem& p) {
  return {forward_operations(p) + backward_operations(p),
          [t = tensors_of(p), plan = plan_of(p), options = options_of(p)] {
            const rt::AttentionOutput f = rt::attention_forward(t.q, t.k, t.v, plan, options);
            rt::attention_backward(t.dout, t.q, t.k, t.v, f.out, f.lse, plan, options);
          }};
}

Candidate runtime_ulysses(const Problem& p) { return spread(p, p.threads, 1, rt::Layout::Contiguous); }

Candidate runtime_ring(const Problem& p) { return spread(p, 1, p.threads, rt::Layout::Zigzag); }

Candidate runtime_product(int size, int threads) {
  const rt::Tensor a = rt::Tensor::full({size, size}, 0.5), b = rt::Tensor::full({size, size}, 0.25);
  return {2.0 * size * size * size,
          [=] { rt::matmul(a, rt::MatrixForm::AsIs, b, rt::MatrixForm::AsIs, {.threads = threads}); }};
}

}  // namespace ranklint::bench
