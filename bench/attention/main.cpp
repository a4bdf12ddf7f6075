// This runtime's attention beside attention over oneDNN, and spread attention beside the same on one rank.
//
// One benchmark is one comparison: each iteration runs both sides in turn, so that what else the machine does falls on
// both. Counters: GFLOP/s of each side's best run, and `ratio`, the first over the second.
//
//     forward, backward    the runtime                 : oneDNN, tiled                  want >= 1
//     untiled              the runtime, forward        : oneDNN, all scores at once
//     masked_*             causal, of its operations   : full                           want >= 0.9
//     ulysses, ring        `threads` ranks of 1 thread : one rank of `threads` threads  want >= 1
//     product              the runtime                 : oneDNN, 2048 x 2048: what the machine can do at most
//     copy                 bytes per second, counted once
//
// Names end in length/head_dim/causal/bf16/threads: --benchmark_filter='backward/.*/64/.*' picks some.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <thread>

#include "bench/attention/candidate.h"

namespace {

using namespace ranklint::bench;

using Clock = std::chrono::steady_clock;

double seconds_of(const Candidate& candidate) {
  const Clock::time_point start = Clock::now();
  candidate.run();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void compare(benchmark::State& state, const Candidate& first, const Candidate& second) {
  double best_first = 1e9, best_second = 1e9;
  for (auto unused : state) {
    (void)unused;
    best_second = std::min(best_second, seconds_of(second));
    const double seconds = seconds_of(first);
    best_first = std::min(best_first, seconds);
    state.SetIterationTime(seconds);
  }
  const double first_rate = first.operations / best_first * 1e-9, second_rate = second.operations / best_second * 1e-9;
  state.counters["first"] = first_rate;
  state.counters["second"] = second_rate;
  state.counters["ratio"] = first_rate / second_rate;
}

Problem problem_of(const benchmark::State& state) {
  Problem problem{.length = static_cast<int>(state.range(0)),
                  .head_dim = static_cast<int>(state.range(1)),
                  .causal = state.range(2) != 0,
                  .bf16 = state.range(3) != 0,
                  .threads = static_cast<int>(state.range(4)),
                  .q = {},
                  .k = {},
                  .v = {},
                  .dout = {}};
  std::mt19937 bits(1);
  std::uniform_int_distribution<int> numbers(-127, 127);  // bfloat16 has them too
  for (std::vector<float>* array : {&problem.q, &problem.k, &problem.v, &problem.dout}) {
    array->resize(static_cast<size_t>(problem.heads) * static_cast<size_t>(problem.length) *
                  static_cast<size_t>(problem.head_dim));
    for (float& x : *array) x = static_cast<float>(numbers(bits)) / 64;
  }
  return problem;
}

void forward(benchmark::State& state) {
  const Problem p = problem_of(state);
  compare(state, runtime_forward(p), onednn_forward(p));
}

void backward(benchmark::State& state) {
  const Problem p = problem_of(state);
  compare(state, runtime_backward(p), onednn_backward(p));
}

void untiled(benchmark::State& state) {
  const Problem p = problem_of(state);
  compare(state, runtime_forward(p), onednn_naive(p));
}

template <Candidate (*kMake)(const Problem&)>
void masked(benchmark::State& state) {
  const Problem full = problem_of(state);
  Problem causal = full;
  causal.causal = true;
  compare(state, kMake(causal), kMake(full));
}

void masked_forward(benchmark::State& state) { masked<runtime_forward>(state); }
void masked_backward(benchmark::State& state) { masked<runtime_backward>(state); }

void ulysses(benchmark::State& state) {
  const Problem p = problem_of(state);
  compare(state, runtime_ulysses(p), runtime_both(p));
}

void ring(benchmark::State& state) {
  const Problem p = problem_of(state);
  compare(state, runtime_ring(p), runtime_both(p));
}

void product(benchmark::State& state) {
  const int threads = static_cast<int>(state.range(0));
  compare(state, runtime_product(2048, threads), onednn_product(2048, threads));
}

void copy(benchmark::State& state) {
  std::vector<char> from(size_t{256} << 20, 1), to(from.size());
  for (auto unused : state) {
    (void)unused;
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(from.size()));
}

const std::vector<int64_t> kLengths = {512, 2048, 4096, 8192}, kHeadDims = {64, 128}, kNo = {0}, kBoth = {0, 1},
                           kThreads = {1, 2};

void on_one_rank(benchmark::internal::Benchmark* b) { b->ArgsProduct({kLengths, kHeadDims, kBoth, kBoth, kThreads}); }
void without_mask(benchmark::internal::Benchmark* b) { b->ArgsProduct({kLengths, kHeadDims, kNo, kBoth, kThreads}); }
void in_full(benchmark::internal::Benchmark* b) { b->ArgsProduct({{512, 2048, 4096}, kHeadDims, kNo, kNo, kThreads}); }
void on_two_ranks(benchmark::internal::Benchmark* b) { b->ArgsProduct({kLengths, kHeadDims, kBoth, kBoth, {2}}); }

}  // namespace

BENCHMARK(copy)->Unit(benchmark::kMillisecond);
BENCHMARK(product)->DenseRange(1, 2)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(forward)->Apply(on_one_rank)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(backward)->Apply(on_one_rank)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(untiled)->Apply(in_full)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(masked_forward)->Apply(without_mask)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(masked_backward)->Apply(without_mask)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(ulysses)->Apply(on_two_ranks)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(ring)->Apply(on_two_ranks)->UseManualTime()->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
