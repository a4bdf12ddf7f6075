#include "runtime/attention/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace ranklint::runtime {

void parallel_for(int threads, int64_t count, const std::function<void(int, int64_t)>& body) {
  std::atomic<int64_t> next{0};
  const auto work = [&](int worker) {
    for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) body(worker, i);
  };
  const int helpers = static_cast<int>(std::clamp<int64_t>(count - 1, 0, std::max(threads, 1) - 1));
  std::vector<std::jthread> pool;
  pool.reserve(static_cast<size_t>(helpers));
  for (int worker = 1; worker <= helpers; ++worker) pool.emplace_back(work, worker);
  work(0);
}

}  // namespace ranklint::runtime
