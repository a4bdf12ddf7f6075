// This runtime's candidates.
#include <memory>

#include "bench/attention/candidate.h"
#include "runtime/attention/attention.h"
#include "runtime/attention/kernel.h"
#include "runtime/attention/matmul.h"
#include "runtime/attention/sequence_parallel.h"
#include "runtime/group/world.h"

namespace ranklint::bench {

namespace rt = ranklint::runtime;

namespace {

struct Tensors {
  rt::Tensor q, k, v, dout;
};

rt::Tensor tensor_of(const Problem& p, const std::vector<float>& values) {
  return rt::Tensor::from<float>(values, {1, p.heads, p.length, p.head_dim}).permute({0, 2, 1, 3});
}

Tensors tensors_of(const Problem& p) {
  return {tensor_of(p, p.q), tensor_of(p, p.k), tensor_of(p, p.v), tensor_of(p, p.dout)};
}

void forward_and_backward(rt::SequenceParallel& attention, const Tensors& t) {
  const rt::SequenceParallel::Forward f = attention.forward(t.q, t.k, t.v);
  attention.backward(t.dout, f.saved);
}

// All ranks as threads; the world is part of what is timed, the cutting of the inputs is not.
Candidate spread(const Problem& p, const std::string& name, int ulysses, int ring, rt::Layout layout) {
  const rt::SequenceShape shape{.length = p.length, .heads = p.heads, .kv_heads = p.heads, .head_dim = p.head_dim, .causal = p.causal, .layout = layout};
  const Tensors whole = tensors_of(p);
  auto parts = std::make_shared<std::vector<Tensors>>();
  for (int rank = 0; rank < ulysses * ring; ++rank) {
    const std::vector<rt::Run> runs = rt::runs_of(layout, p.length, ulysses * ring, rank);
    parts->push_back({rt::shard(whole.q, runs), rt::shard(whole.k, runs), rt::shard(whole.v, runs), rt::shard(whole.dout, runs)});
  }
  return {name, forward_operations(p) + backward_operations(p), [=] {
            rt::run_world(ulysses * ring, [&](rt::RankContext& context) {
              const rt::ProcessGroup none;
              auto attention = rt::SequenceParallel::create(ulysses > 1 ? context.world() : none, ring > 1 ? context.world() : none, shape);
              forward_and_backward(*attention, (*parts)[static_cast<size_t>(context.rank())]);
            });
          }};
}

}  // namespace

std::vector<Candidate> runtime_local(const Problem& p) {
  const auto tensors = std::make_shared<Tensors>(tensors_of(p));
  const rt::AttentionPlan plan = rt::dense_plan(p.length, p.length, p.causal);
  std::vector<Candidate> candidates;
  for (const rt::Kernel* kernel : {rt::avx2_kernel(), rt::avx512_kernel()}) {
    if (!kernel) continue;
    const rt::AttentionOptions options{.threads = p.threads, .kernel = kernel};
    const auto saved = std::make_shared<rt::AttentionOutput>(rt::attention_forward(tensors->q, tensors->k, tensors->v, plan, options));
    const std::string name = "runtime " + std::string(kernel->name);
    candidates.push_back({name + " forward", forward_operations(p), [=] { rt::attention_forward(tensors->q, tensors->k, tensors->v, plan, options); }});
    candidates.push_back({name + " backward", backward_operations(p), [=] {
                            rt::attention_backward(tensors->dout, tensors->q, tensors->k, tensors->v, saved->out, saved->lse, plan, options);
                          }});
  }
  const auto whole = [=, threads = p.threads] {
    const rt::AttentionOptions options{.threads = threads};
    const rt::AttentionOutput f = rt::attention_forward(tensors->q, tensors->k, tensors->v, plan, options);
    rt::attention_backward(tensors->dout, tensors->q, tensors->k, tensors->v, f.out, f.lse, plan, options);
  };
  candidates.push_back({"runtime forward and backward", forward_operations(p) + backward_operations(p), whole});
  return candidates;
}

std::vector<Candidate> runtime_spread(const Problem& p) {
  return {spread(p, "runtime Ulysses, ranks for threads", p.threads, 1, rt::Layout::Contiguous),
          spread(p, "runtime ring, ranks for threads", 1, p.threads, rt::Layout::Zigzag)};
}

Candidate runtime_product(int size, int threads) {
  const rt::Tensor a = rt::Tensor::full({size, size}, 0.5), b = rt::Tensor::full({size, size}, 0.25);
  return {"runtime product", 2.0 * size * size * size, [=] { rt::matmul(a, rt::Side::AsIs, b, rt::Side::AsIs, {.threads = threads}); }};
}

}  // namespace ranklint::bench
