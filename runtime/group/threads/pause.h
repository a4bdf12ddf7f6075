// A moment's rest inside a spin loop.
#pragma once

#include <mutex>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ranklint::runtime {

inline void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

// In a loop that counts `left` down: a pause, and now and then the processor for whoever else is on it. That may be the
// rank waited for, when the scheduler has put two on one core.
inline void pause_or_yield(int left) {
  if (left % 512 == 0)
    std::this_thread::yield();
  else
    pause_briefly();
}

// For locks held for a moment that ranks in lockstep ask for at once: to sleep over one costs a hundred times what it
// protects.
inline std::unique_lock<std::mutex> lock_patiently(std::mutex& mutex) {
  for (int tries = 0; tries < 2000; ++tries) {
    if (mutex.try_lock()) return {mutex, std::adopt_lock};
    pause_briefly();
  }
  return std::unique_lock(mutex);
}

}  // namespace ranklint::runtime
