// Memory that attention works in and that its results lie in, and the threads that help with it, kept from one call to
// the next.
//
// Fresh memory is not free: the system clears every page of it when it is first touched, which for a layer's tensors
// takes several per cent of the time of the layer. Training takes the same sizes again and again, so a caller who keeps
// a Workspace pays once. Memory comes back to the workspace when its last handle goes, on whatever thread; a workspace
// may go before what it gave out.
//
// It keeps at most twice what was in use at one time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/attention/helpers.h"
#include "runtime/base/tensor.h"

namespace ranklint::runtime {

class Workspace {
 public:
  Workspace();

  // Uninitialised, aligned for any vector; a block that was given back, or a new one.
  std::shared_ptr<std::byte> take(size_t size_bytes);

  size_t idle_bytes() const;  // given back and kept

  Helpers& helpers() { return helpers_; }

 private:
  struct Pool;
  std::shared_ptr<Pool> pool_;
  Helpers helpers_;
};

// Null without a workspace.
inline Helpers* helpers_of(Workspace* workspace) { return workspace ? &workspace->helpers() : nullptr; }

// As Workspace::take and Tensor::empty; without a workspace the memory is fresh.
std::shared_ptr<std::byte> memory_from(Workspace* workspace, size_t size_bytes);
Tensor empty_from(Workspace* workspace, Shape shape, DType dtype = DType::F32, Device device = Device::Host);

// Uninitialised floats, aligned for any vector.
class FloatBuffer {
 public:
  FloatBuffer() = default;
  explicit FloatBuffer(int64_t count, Workspace* workspace = nullptr)
      : memory_(memory_from(workspace, static_cast<size_t>(count) * sizeof(float))) {}
  float* data() const { return reinterpret_cast<float*>(memory_.get()); }

 private:
  std::shared_ptr<std::byte> memory_;
};

}  // namespace ranklint::runtime
