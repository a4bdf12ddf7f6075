#include "runtime/group/ticks.h"

namespace ranklint::runtime {

TickClock::Reading TickClock::read() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return {now_ticks(), std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count()};
}

int64_t TickClock::to_ns(uint64_t ticks) const {
  if (second_.ticks == first_.ticks) return first_.ns;
  const double rate = static_cast<double>(second_.ns - first_.ns) / static_cast<double>(second_.ticks - first_.ticks);
  const auto since_first = static_cast<double>(static_cast<int64_t>(ticks - first_.ticks));
  return first_.ns + static_cast<int64_t>(since_first * rate);
}

}  // namespace ranklint::runtime
