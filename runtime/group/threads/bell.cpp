#include "runtime/group/threads/bell.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace ranklint::runtime {

static long futex(std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* timeout) {
  static_assert(sizeof(word) == sizeof(uint32_t));
  return syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), operation, value, timeout, nullptr, 0);
}

static timespec until(Clock::time_point deadline) {
  const auto left = std::max(deadline - Clock::now(), Clock::duration::zero());
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  return {.tv_sec = seconds.count(), .tv_nsec = std::chrono::nanoseconds(left - seconds).count()};
}

void Bell::ring() {
  count_.fetch_add(1, std::memory_order_seq_cst);
  futex(count_, FUTEX_WAKE_PRIVATE, 1, nullptr);
}

void Bell::sleep(uint32_t seen, Deadline deadline) {
  const timespec timeout = deadline ? until(*deadline) : timespec{};
  futex(count_, FUTEX_WAIT_PRIVATE, seen, deadline ? &timeout : nullptr);
}

}  // namespace ranklint::runtime
