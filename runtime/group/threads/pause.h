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
// rank waited for, when the scheduler has put two on one core. True when the processor was given.
inline constexpr int kPausesToAYield = 512;

inline bool pause_or_yield(int left) {
  if (left % kPausesToAYield != 0) {
    pause_briefly();
    return false;
  }
  std::this_thread::yield();
  return true;
}

// Two ranks on one core that spin and yield to each other may stay there for long although another core is idle: to the
// scheduler both are busy and content. To one that sleeps it gives an idle core when it wakes it. So of waits in a row
// that took a yield one is slept through, more and more rarely, since there may be no idle core.
class Crowding {
 public:
  // How often to look in the next wait, which is `usual` unless it is to be slept through.
  int patience(int usual) {
    if (yields_ < sleep_after_) return usual;
    yields_ = 0;
    sleep_after_ = sleep_after_ < 4096 ? 2 * sleep_after_ : sleep_after_;
    return 0;
  }
  void waited(bool yielded) { yields_ = yielded ? yields_ + 1 : 0; }

 private:
  int yields_ = 0;
  int sleep_after_ = 4;
};

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
