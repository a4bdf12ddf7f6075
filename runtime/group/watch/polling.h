// A rank that tests an operation again and again is told what one that waits for it would be told: the time-out,
// counted from the first test, and that the operation can never be complete. To learn the second is work that grows
// with the world, so it is asked for now and then, and ever more rarely.
//
// It may turn to something else between two tests and so blocks nobody: a circle of waits in which one rank polls ends
// with a time-out. But what can not be met whatever that rank does, since others have gone or disagree, is settled.
#pragma once

#include "runtime/group/watch/deadline.h"

namespace ranklint::runtime {

class Polling {
 public:
  // Of a test that has found its operation incomplete: must it go on as a wait, which ends at once or with the verdict?
  template <typename NeverEnds>
  bool is_over(std::chrono::milliseconds timeout, NeverEnds never_ends) {
    const auto now = Clock::now();
    if (!deadline_) {
      deadline_ = deadline_after(timeout);
      next_look_ = std::min(now + between_looks_, *deadline_);
    }
    if (now < next_look_) return false;
    between_looks_ = std::min(2 * between_looks_, kLongest);
    next_look_ = std::min(now + between_looks_, *deadline_);
    return now >= *deadline_ || never_ends();
  }

  // What remains of the time-out; not 0, which stands for the default.
  std::chrono::milliseconds left() const {
    constexpr std::chrono::milliseconds kLeast{1};
    return std::max(kLeast, std::chrono::floor<std::chrono::milliseconds>(*deadline_ - Clock::now()));
  }

 private:
  static constexpr std::chrono::milliseconds kLongest{64};

  std::chrono::milliseconds between_looks_{1};
  Deadline deadline_;
  Clock::time_point next_look_;
};

}  // namespace ranklint::runtime
