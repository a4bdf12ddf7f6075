// Time for a price that a call of a tenth of a microsecond can pay: the processor's counter, turned into nanoseconds of
// the wall clock when somebody reads the record.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ranklint::runtime {

inline uint64_t now_ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Two readings of counter and clock; in between time passes evenly.
class TickClock {
 public:
  TickClock() : first_(read()), second_(first_) {}
  void read_again() { second_ = read(); }
  int64_t to_ns(uint64_t ticks) const;  // since the epoch

 private:
  struct Reading {
    uint64_t ticks;
    int64_t ns;
  };
  static Reading read();

  Reading first_, second_;
};

}  // namespace ranklint::runtime
