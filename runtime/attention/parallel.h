// Threads inside one rank, and the memory that they work in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>

namespace ranklint::runtime {

// Calls body(worker, i) for every i in [0, count), on up to `threads` threads; worker < threads numbers the thread. Which
// worker gets an i varies, so results must not depend on it. The body must not throw.
void parallel_for(int threads, int64_t count, const std::function<void(int worker, int64_t i)>& body);

// Uninitialised floats, aligned for any vector.
class FloatBuffer {
 public:
  FloatBuffer() = default;
  explicit FloatBuffer(int64_t count)
      : data_(static_cast<float*>(::operator new(static_cast<size_t>(count) * sizeof(float), kAlignment))) {}
  float* data() const { return data_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(float* data) const { ::operator delete(data, kAlignment); }
  };
  std::unique_ptr<float, Free> data_;
};

}  // namespace ranklint::runtime
