// One line on the terminal while a long run lasts; gone when it is over.
#pragma once

#include <chrono>
#include <cstddef>
#include <ostream>

namespace ranklint::app {

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;
  ProgressLine(std::ostream& err, bool shown) : err_(err), shown_(shown) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void update(size_t done, size_t all, Clock::time_point now = Clock::now());

 private:
  static constexpr std::chrono::milliseconds kQuietTime{500};  // a short run shows nothing
  static constexpr std::chrono::milliseconds kInterval{100};
  std::ostream& err_;
  bool shown_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + kQuietTime;
};

}  // namespace ranklint::app
