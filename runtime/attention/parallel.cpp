#include "runtime/attention/parallel.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>
#include <vector>

namespace ranklint::runtime {

namespace {

// The indices of a step, in one stretch for each worker.
class Indices {
 public:
  Indices(int64_t count, int workers) : count_(count), stretches_(static_cast<size_t>(workers)) {
    for (int64_t i = 0; i < workers; ++i) {
      stretches_[static_cast<size_t>(i)].next = count * i / workers;
      stretches_[static_cast<size_t>(i)].end = count * (i + 1) / workers;
    }
  }

  // Takes indices while there are any: the worker's own first, then what is left of the others', the next worker's
  // first. Those who find none wait for the last ones, which others have in hand.
  void work_on(const ParallelStep& step, int worker) {
    const size_t workers = stretches_.size();
    for (size_t k = 0; k < workers; ++k) {
      Stretch& stretch = stretches_[(static_cast<size_t>(worker) + k) % workers];
      for (int64_t i; (i = stretch.next.fetch_add(1, std::memory_order_relaxed)) < stretch.end;) {
        step.body(worker, i);
        done_.fetch_add(1, std::memory_order_acq_rel);
      }
    }
    while (done_.load(std::memory_order_acquire) < count_) std::this_thread::yield();
  }

 private:
  struct alignas(64) Stretch {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };

  int64_t count_;
  std::vector<Stretch> stretches_;
  alignas(64) std::atomic<int64_t> done_{0};
};

}  // namespace

int workers_for(int threads, int64_t count) {
  return static_cast<int>(std::clamp<int64_t>(count, 1, std::max(threads, 1)));
}

void parallel_steps(int threads, std::span<const ParallelStep> steps, Helpers* kept) {
  int64_t most = 0;
  for (const ParallelStep& step : steps) most = std::max(most, step.count);
  const int helpers = workers_for(threads, most) - 1;
  std::deque<Indices> indices;
  for (const ParallelStep& step : steps) indices.emplace_back(step.count, helpers + 1);
  const auto work = [&](int worker) {
    for (size_t i = 0; i < steps.size(); ++i) indices[i].work_on(steps[i], worker);
  };
  if (kept) return kept->run(helpers, work);
  Helpers().run(helpers, work);
}

void parallel_for(int threads, int64_t count, const std::function<void(int, int64_t)>& body, Helpers* kept) {
  const ParallelStep step{count, body};
  parallel_steps(threads, {&step, 1}, kept);
}

}  // namespace ranklint::runtime
