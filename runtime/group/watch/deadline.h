// Until when a wait lasts at most.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace ranklint::runtime {

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>;

// A time-out may be as long as its type can say, which means forever: it must not pass the clock's own end.
inline Clock::time_point deadline_after(std::chrono::milliseconds timeout) {
  const auto now = Clock::now();
  const auto longest = std::chrono::floor<std::chrono::milliseconds>(Clock::time_point::max() - now);
  return now + std::clamp(timeout, std::chrono::milliseconds::zero(), longest);
}

}  // namespace ranklint::runtime
