#include "runtime/attention/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace ranklint::runtime {

namespace {

struct Progress {
  alignas(64) std::atomic<int64_t> next{0};
  alignas(64) std::atomic<int64_t> done{0};
};

// Takes indices while there are any. Those who find none wait for the last ones, which others have in hand; a thread that
// was slow to start keeps nobody waiting.
void work_on(const ParallelStep& step, Progress& progress, int worker) {
  for (int64_t i; (i = progress.next.fetch_add(1, std::memory_order_relaxed)) < step.count;) {
    step.body(worker, i);
    progress.done.fetch_add(1, std::memory_order_acq_rel);
  }
  while (progress.done.load(std::memory_order_acquire) < step.count) std::this_thread::yield();
}

}  // namespace

void parallel_steps(int threads, std::span<const ParallelStep> steps) {
  int64_t most = 0;
  for (const ParallelStep& step : steps) most = std::max(most, step.count);
  std::vector<Progress> progress(steps.size());
  const auto work = [&](int worker) {
    for (size_t i = 0; i < steps.size(); ++i) work_on(steps[i], progress[i], worker);
  };
  const int helpers = static_cast<int>(std::clamp<int64_t>(most - 1, 0, std::max(threads, 1) - 1));
  std::vector<std::jthread> pool;
  pool.reserve(static_cast<size_t>(helpers));
  for (int worker = 1; worker <= helpers; ++worker) pool.emplace_back(work, worker);
  work(0);
}

void parallel_for(int threads, int64_t count, const std::function<void(int, int64_t)>& body) {
  const ParallelStep step{count, body};
  parallel_steps(threads, {&step, 1});
}

}  // namespace ranklint::runtime
