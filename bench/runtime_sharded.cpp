// What moving a sharded tensor costs: each pair of placements, and a step of Fsdp whose units compute nothing.
//
// Ranks are threads that live for one benchmark; rank 0 times a batch of repetitions between two barriers. Bytes are
// those of the whole tensor, so a rate compares with the machine's memory bandwidth.
#include <benchmark/benchmark.h>

#include <chrono>

#include "runtime/group/device_mesh.h"
#include "runtime/sharded/dtensor.h"
#include "runtime/sharded/fsdp.h"

namespace ranklint::runtime {

using Clock = std::chrono::steady_clock;

static constexpr int kRepetitions = 10;

// Seconds that one repetition takes on all ranks; `prepare` gives each rank what it repeats.
static double seconds_per_repetition(int ranks, const std::function<std::function<void()>(RankContext&)>& prepare) {
  double seconds = 0;
  run_world(ranks, [&](RankContext& context) {
    const std::function<void()> repeat = prepare(context);
    repeat();
    context.world().barrier().wait();
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < kRepetitions; ++i) repeat();
    context.world().barrier().wait();
    if (context.rank() == 0) seconds = std::chrono::duration<double>(Clock::now() - start).count() / kRepetitions;
  });
  return seconds;
}

static void redistribute(benchmark::State& state, const Placement& from, const Placement& to) {
  const int ranks = static_cast<int>(state.range(0));
  const int64_t side = state.range(1);
  for (auto _ : state)
    state.SetIterationTime(seconds_per_repetition(ranks, [&](RankContext& context) {
      const auto mesh = std::make_shared<DeviceMesh>(context, std::vector<int>{ranks}, std::vector<std::string>{"dp"});
      const DTensor source =
          DTensor::distribute(Tensor::zeros({side, side}), *mesh, {from}, {.src_data_rank = std::nullopt});
      return [mesh, source, to] { benchmark::DoNotOptimize(source.redistribute({to})); };
    }));
  state.SetBytesProcessed(state.iterations() * side * side * static_cast<int64_t>(sizeof(float)));
}

BENCHMARK_CAPTURE(redistribute, shard_to_replicate, Shard{0}, Replicate{})
    ->ArgsProduct({{2, 4}, {256, 1024, 4096}})
    ->UseManualTime();
BENCHMARK_CAPTURE(redistribute, columns_to_replicate, Shard{1}, Replicate{})
    ->ArgsProduct({{2, 4}, {256, 1024, 4096}})
    ->UseManualTime();
BENCHMARK_CAPTURE(redistribute, rows_to_columns, Shard{0}, Shard{1})
    ->ArgsProduct({{2, 4}, {256, 1024, 4096}})
    ->UseManualTime();
BENCHMARK_CAPTURE(redistribute, partial_to_replicate, Partial{}, Replicate{})
    ->ArgsProduct({{2, 4}, {256, 1024, 4096}})
    ->UseManualTime();
BENCHMARK_CAPTURE(redistribute, partial_to_shard, Partial{}, Shard{0})
    ->ArgsProduct({{2, 4}, {256, 1024, 4096}})
    ->UseManualTime();

static Module idle_module(int units, int64_t numel) {
  Module module;
  for (int i = 0; i < units; ++i)
    module.units.push_back({.name = "unit" + std::to_string(i),
                            .parameters = {Slot::of("weight", Tensor::zeros({numel}))},
                            .buffers = {},
                            .forward = [](const UnitTensors&, const Tensor& input) { return input; },
                            .backward = [](const UnitTensors&, const Tensor&, const Tensor& grad_output,
                                           const std::vector<Tensor>&) { return grad_output; }});
  return module;
}

static void fsdp_step(benchmark::State& state) {
  const int ranks = static_cast<int>(state.range(0));
  const int64_t numel = state.range(1);
  constexpr int kUnits = 4;
  for (auto _ : state)
    state.SetIterationTime(seconds_per_repetition(ranks, [&](RankContext& context) {
      const auto model = std::make_shared<Fsdp>(idle_module(kUnits, numel), context.world());
      return [model] { model->backward(model->forward(Tensor())); };
    }));
  state.SetBytesProcessed(state.iterations() * 3 * kUnits * numel * static_cast<int64_t>(sizeof(float)));
}

BENCHMARK(fsdp_step)->ArgsProduct({{2, 4}, {1 << 14, 1 << 20}})->UseManualTime();

}  // namespace ranklint::runtime

BENCHMARK_MAIN();
