// Counts the memory that a loader holds, and the most that it held.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ranklint::runtime {

class MemoryMeter {
 public:
  void hold(uint64_t size_bytes) {
    held_bytes_ += size_bytes;
    touch(0);
  }
  // Memory that is there for a moment only.
  void touch(uint64_t size_bytes) { peak_bytes_ = std::max(peak_bytes_, held_bytes_ + size_bytes); }
  uint64_t peak_bytes() const { return peak_bytes_; }

 private:
  uint64_t held_bytes_ = 0, peak_bytes_ = 0;
};

}  // namespace ranklint::runtime
