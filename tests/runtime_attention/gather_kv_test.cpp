#include <catch2/catch.hpp>

#include <mutex>

#include "runtime/attention/gather_kv.h"
#include "tests/runtime_attention/sequence_support.h"

namespace ranklint::test {

namespace {

struct GatherRun {
  Results results;
  std::vector<Counts> counts;
};

GatherRun run_gather(int ranks, const rt::SequenceShape& s, const Inputs& in) {
  GatherRun run{.results = {.out = rt::Tensor::zeros(in.q.shape()),
                            .lse = {},
                            .dq = rt::Tensor::zeros(in.q.shape()),
                            .dk = rt::Tensor::zeros(in.k.shape()),
                            .dv = rt::Tensor::zeros(in.v.shape())},
                .counts = std::vector<Counts>(static_cast<size_t>(ranks))};
  rt::RingPlan plan{.runs = {}, .causal = s.causal, .starts = s.starts};
  for (int rank = 0; rank < ranks; ++rank) plan.runs.push_back(rt::runs_of(s.layout, s.length, ranks, rank));
  std::mutex lock;
  const rt::WorldReport report = rt::run_world(ranks, [&](rt::RankContext& context) {
    const auto rank = static_cast<size_t>(context.rank());
    rt::ProcessGroup group = counting(context.world(), run.counts[rank]);
    const std::vector<rt::Run>& runs = plan.runs[rank];
    const rt::Tensor q = rt::shard(in.q, runs), k = rt::shard(in.k, runs), v = rt::shard(in.v, runs);
    const rt::AttentionOutput f = rt::gather_kv_forward(group, q, k, v, plan, {});
    const rt::AttentionGradients b = rt::gather_kv_backward(group, rt::shard(in.dout, runs), q, k, v, f, plan, {});
    const std::lock_guard guard(lock);
    rt::unshard_into(run.results.out, f.out, runs);
    rt::unshard_into(run.results.dq, b.dq, runs);
    rt::unshard_into(run.results.dk, b.dk, runs);
    rt::unshard_into(run.results.dv, b.dv, runs);
  });
  INFO(report.verdict.to_text());
  REQUIRE(report.ok());
  return run;
}

}  // namespace

TEST_CASE("gathering the keys is as accurate as one rank, for any layout, length and packing") {
  const int ranks = GENERATE(1, 2, 3, 5);
  const rt::Layout layout = GENERATE(rt::Layout::Contiguous, rt::Layout::Zigzag, rt::Layout::Striped);
  const rt::SequenceShape shape{.batch = 2,
                                .length = 30,
                                .heads = 4,
                                .kv_heads = 2,
                                .head_dim = 8,
                                .causal = true,
                                .layout = layout,
                                .starts = {0, 0, 1, 11, 30}};
  AccuracyRule rule;
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    const Inputs in = inputs_of(shape, seed);
    const Results reference = run_reference(in, sees_of(shape)), alone = run_kernel(in, plan_of(shape)),
                  spread = run_gather(ranks, shape, in).results;
    rule.add("out", spread.out, alone.out, reference.out);
    rule.add("dq", spread.dq, alone.dq, reference.dq);
    rule.add("dk", spread.dk, alone.dk, reference.dk);
    rule.add("dv", spread.dv, alone.dv, reference.dv);
  }
  rule.check();
}

TEST_CASE("gathering the keys sends them twice and their gradients once") {
  const int64_t P = 4, B = 2, S = 16, d = 8, kv_heads = 2;
  const rt::SequenceShape shape{
      .batch = B, .length = S, .heads = 4, .kv_heads = kv_heads, .head_dim = d, .causal = true};
  for (const Counts& counts : run_gather(P, shape, inputs_of(shape)).counts) {
    CHECK((counts.all_gathers == 4 && counts.reduce_scatters == 2));
    CHECK(counts.sent == 3 * 2 * (P - 1) * B * S / P * kv_heads * d);
  }
}

TEST_CASE("a plan of the tokens of other members than the ring's is refused") {
  rt::ProcessGroup alone;
  const rt::Tensor x = rt::Tensor::zeros({1, 4, 1, 8});
  CHECK_THROWS_AS(rt::ring_forward(alone, x, x, x, {}, {}), rt::RankError);
  const rt::RingPlan plan{.runs = {{{.first = 0, .count = 4}}}};
  CHECK(rt::ring_forward(alone, x, x, x, plan, {}).out.shape() == x.shape());
  CHECK_THROWS_AS(rt::ring_backward(alone, x, x, x, x, {}, plan, {}), rt::RankError);
}

}  // namespace ranklint::test
