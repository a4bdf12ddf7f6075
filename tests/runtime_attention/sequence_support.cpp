#include "tests/runtime_attention/sequence_support.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <mutex>

#include "runtime/group/device_mesh.h"

namespace ranklint::test {

namespace {

void run_rank(rt::RankContext& context, const Grid& grid, const rt::SequenceShape& shape, const Inputs& in,
              SpreadRun& run, std::mutex& lock) {
  const auto rank = static_cast<size_t>(context.rank());
  rt::DeviceMesh mesh(context, {grid.ring, grid.ulysses}, {"ring", "ulysses"});
  rt::Result<rt::SequenceParallel> made = rt::SequenceParallel::create(
      counting(mesh.group("ulysses"), run.counts[rank]), counting(mesh.group("ring"), run.counts[rank]), shape);
  if (!made) {
    run.refused[rank] = made.error().message;
    return;
  }
  const std::vector<rt::Run>& runs = made->runs();
  const rt::SequenceParallel::Forward f =
      made->forward(rt::shard(in.q, runs), rt::shard(in.k, runs), rt::shard(in.v, runs));
  const rt::AttentionGradients b = made->backward(rt::shard(in.dout, runs), f.saved);
  const std::lock_guard guard(lock);
  rt::unshard_into(run.results.out, f.out, runs);
  rt::unshard_into(run.results.dq, b.dq, runs);
  rt::unshard_into(run.results.dk, b.dk, runs);
  rt::unshard_into(run.results.dv, b.dv, runs);
}

}  // namespace

SpreadRun run_spread(const Grid& grid, const rt::SequenceShape& shape, const Inputs& in,
                     const rt::WorldOptions& options) {
  const auto ranks = static_cast<size_t>(grid.ranks());
  SpreadRun run{.results = {.out = rt::Tensor::zeros(in.q.shape()),
                            .lse = {},
                            .dq = rt::Tensor::zeros(in.q.shape()),
                            .dk = rt::Tensor::zeros(in.k.shape()),
                            .dv = rt::Tensor::zeros(in.v.shape())},
                .counts = std::vector<Counts>(ranks),
                .refused = std::vector<std::optional<std::string>>(ranks)};
  std::mutex lock;
  const rt::WorldReport report = rt::run_world(
      grid.ranks(), [&](rt::RankContext& context) { run_rank(context, grid, shape, in, run, lock); }, options);
  INFO(report.verdict.to_text());
  REQUIRE(report.ok());
  return run;
}

Inputs inputs_of(const rt::SequenceShape& s, uint32_t seed) {
  return random_inputs({s.batch, s.length, s.length, s.heads, s.kv_heads, s.head_dim}, seed, s.dtype);
}

rt::Sees sees_of(const rt::SequenceShape& shape) {
  const auto document_of = [starts = shape.starts](int64_t position) {
    return std::upper_bound(starts.begin(), starts.end(), position) - starts.begin();
  };
  return [=, causal = shape.causal](int64_t query, int64_t key) {
    return document_of(query) == document_of(key) && (!causal || key <= query);
  };
}

rt::AttentionPlan plan_of(const rt::SequenceShape& s) {
  return s.starts.empty() ? rt::dense_plan(s.length, s.length, s.causal)
                          : rt::packed_plan(s.starts, s.starts, s.causal);
}

}  // namespace ranklint::test
