// A moment's rest inside a spin loop.
#pragma once

#include <mutex>

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <thread>
#endif

namespace ranklint::runtime {

inline void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
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
