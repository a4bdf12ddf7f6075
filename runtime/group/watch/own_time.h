// How much time a thread has had in which it could have gone on, had it wanted to: on a processor, or asleep by its own
// will. What it spent waiting for a processor, since others use the machine, does not count. So "it had a second and
// has not come" is true or false however loaded the machine is.
//
// Linux tells both, the time on a processor and whether a thread sleeps; elsewhere all time counts.
#pragma once

#include <chrono>
#include <ctime>
#include <string>

namespace ranklint::runtime {

// How long a verdict is held back at most for ranks that run, however little they get to run.
inline constexpr std::chrono::seconds kLongestHold{30};

class OwnTime {
 public:
  OwnTime();           // the calling thread's, from now on
  void start_over() {  // by any thread
    last_ = see();
    passed_ = {};
  }

  // By any thread, one at a time, while that thread lives; often, since what lies between two looks counts as sleep
  // when the thread slept at both and did not run in between.
  void look();
  std::chrono::milliseconds passed() const { return std::chrono::duration_cast<std::chrono::milliseconds>(passed_); }

 private:
  struct Sight {
    std::chrono::steady_clock::time_point at;
    std::chrono::nanoseconds ran{0};
    bool asleep = false;
  };
  Sight see() const;

#if defined(__linux__)
  clockid_t clock_{};
  std::string status_path_;
#endif
  Sight last_;
  std::chrono::nanoseconds passed_{0};
};

}  // namespace ranklint::runtime
