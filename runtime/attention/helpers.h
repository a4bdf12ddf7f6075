// Threads that wait for work, so that a call which spreads its own need not start any: starting and ending a thread
// takes as long as a fiftieth of attention over a few hundred tokens.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace ranklint::runtime {

class Helpers {
 public:
  Helpers();
  ~Helpers();  // nobody may be in `run`

  // work(0) on this thread and work(1) .. work(count) on others. One that has not begun when work(0) is done never
  // does, be it that its thread is slow to wake or that the system has no thread left; so work(0) is to return only
  // when all that has to be done is. `work` must not throw. Several threads may be here at a time; each has helpers of
  // its own.
  void run(int count, const std::function<void(int worker)>& work);

 private:
  class Helper;

  std::unique_ptr<Helper> take();

  std::mutex mutex_;
  std::vector<std::unique_ptr<Helper>> idle_;
};

}  // namespace ranklint::runtime
