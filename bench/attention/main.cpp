// bench_attention [threads] [length] [head_dim]: this runtime's attention beside attention over oneDNN, in one run, and
// what the machine can do at most. A length or head_dim of 0, or none, means a choice of them.
//
// On a busy machine wall time says little. The runs of all candidates alternate, and beside the best wall time stands the
// best processor time: operations per second of one core.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <time.h>

#include "bench/attention/candidate.h"

namespace {

using namespace ranklint::bench;

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Best {
  double wall = 1e9, processor = 1e9;
};

void time_once(const Candidate& candidate, Best& best) {
  const double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
  candidate.run();
  best.wall = std::min(best.wall, seconds(CLOCK_MONOTONIC) - wall);
  best.processor = std::min(best.processor, seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
}

void compare(const std::vector<Candidate>& candidates, int rounds) {
  std::vector<Best> best(candidates.size());
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < candidates.size(); ++i) time_once(candidates[i], best[i]);
  for (size_t i = 0; i < candidates.size(); ++i)
    std::printf("  %-34s %9.4f s %7.1f GFLOP/s   by processor time %7.1f per core\n", candidates[i].name.c_str(), best[i].wall,
                candidates[i].operations / best[i].wall * 1e-9, candidates[i].operations / best[i].processor * 1e-9);
  std::fflush(stdout);
}

Problem problem_of(int length, int head_dim, bool causal, int threads) {
  Problem problem{.length = length, .head_dim = head_dim, .causal = causal, .threads = threads, .q = {}, .k = {}, .v = {}, .dout = {}};
  std::mt19937 bits(1);
  std::normal_distribution<float> normal;
  for (std::vector<float>* array : {&problem.q, &problem.k, &problem.v, &problem.dout}) {
    array->resize(static_cast<size_t>(problem.heads) * static_cast<size_t>(length) * static_cast<size_t>(head_dim));
    for (float& x : *array) x = normal(bits);
  }
  return problem;
}

// Bytes copied, counted once.
double copy_rate() {
  std::vector<char> from(size_t{256} << 20, 1), to(from.size());
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double start = seconds(CLOCK_MONOTONIC);
    std::memcpy(to.data(), from.data(), from.size());
    asm volatile("" : : "r"(to.data()) : "memory");  // or the copy is left out, since nobody reads it
    best = std::min(best, seconds(CLOCK_MONOTONIC) - start);
  }
  return static_cast<double>(from.size()) / best;
}

void compare_attention(int length, int head_dim, bool causal, int threads) {
  const Problem problem = problem_of(length, head_dim, causal, threads);
  std::printf("length %d, head_dim %d, 8 heads%s, %d thread%s\n", length, head_dim, causal ? ", causal" : "", threads, threads > 1 ? "s" : "");
  std::vector<Candidate> candidates = {onednn_forward(problem), onednn_backward(problem)};
  if (length <= 4096) candidates.push_back(onednn_naive(problem));
  for (Candidate& candidate : runtime_local(problem)) candidates.push_back(std::move(candidate));
  if (threads > 1)
    for (Candidate& candidate : runtime_spread(problem)) candidates.push_back(std::move(candidate));
  compare(candidates, length <= 512 ? 20 : length <= 2048 ? 7 : 3);
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  const int threads = argument(1, 1), only_length = argument(2, 0), only_head_dim = argument(3, 0);
  std::printf("what the machine does: copy %.1f GB/s\n", copy_rate() * 1e-9);
  compare({onednn_product(2048, threads), runtime_product(2048, threads)}, 5);
  for (int head_dim : {64, 128})
    for (int length : {512, 2048, 4096, 8192})
      for (bool causal : {false, true})
        if ((only_length == 0 || length == only_length) && (only_head_dim == 0 || head_dim == only_head_dim))
          compare_attention(length, head_dim, causal, threads);
}
