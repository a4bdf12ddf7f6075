#include "app/check/progress.h"

namespace ranklint::app {

void ProgressLine::update(size_t done, size_t all, Clock::time_point now) {
  if (!shown_ || now < next_) return;
  next_ = now + kInterval;
  drawn_ = true;
  err_ << "\r\x1b[Kchecking " << done << " of " << all << " files" << std::flush;
}

ProgressLine::~ProgressLine() {
  if (drawn_) err_ << "\r\x1b[K" << std::flush;
}

}  // namespace ranklint::app
