// A dense, row-major array of one element type.
//
// A Tensor is a handle: copies share the elements. `narrow` along dimension 0 and `reshape` are views of the same
// elements; every other rearrangement (`narrow` along another dimension, `permute`, `cat`) makes new ones. So every
// Tensor is contiguous and can be handed to a collective as it is.
//
// Host and device memory are two kinds of storage, as on a machine with accelerators: `to(device)` copies, and a
// process group made for one refuses the other. Both are ordinary memory here; only the rule is simulated.
//
// What does not fit (a shape, a range, a type) is RankError{InvalidArgument}, more than there is memory for {Io}. A
// tensor does not synchronise: ranks that write one at the same time race, as they would anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/shape.h"

namespace ranklint::runtime {

enum class Device : uint8_t { Host, Accelerator };

std::string_view name_of(Device device);

class Tensor {
 public:
  Tensor() = default;  // no elements, shape [0], f32

  // Elements are 64-byte aligned. `empty` leaves them uninitialised.
  static Tensor empty(Shape shape, DType dtype = DType::F32, Device device = Device::Host);
  static Tensor zeros(Shape shape, DType dtype = DType::F32, Device device = Device::Host);
  static Tensor full(Shape shape, double value, DType dtype = DType::F32, Device device = Device::Host);
  static Tensor arange(int64_t count, DType dtype = DType::F32, Device device = Device::Host);
  template <typename T>
  static Tensor from(std::vector<T> values, Shape shape, Device device = Device::Host) {
    Tensor out = empty(std::move(shape), kDTypeOf<T>, device);
    out.assign(std::as_bytes(std::span(values)));
    return out;
  }
  // Elements that somebody else owns and keeps alive through `owner` (a mapped file). `data` is aligned as `dtype`
  // asks.
  static Tensor borrow(std::shared_ptr<const void> owner, std::byte* data, Shape shape, DType dtype,
                       Device device = Device::Host);

  const Shape& shape() const { return shape_; }
  int64_t dim() const { return static_cast<int64_t>(shape_.size()); }
  int64_t size(int64_t dimension) const;  // negative counts from the end
  int64_t numel() const { return numel_; }
  uint32_t shape_hash() const { return shape_hash_; }  // of equal shapes the same, of others hardly ever
  size_t size_bytes() const { return static_cast<size_t>(numel_) * runtime::size_bytes(dtype_); }
  DType dtype() const { return dtype_; }
  Device device() const { return device_; }

  std::byte* data() const { return data_; }
  template <typename T>
  std::span<T> as() const {  // throws RankError when T is not the element type
    check_type(kDTypeOf<T>);
    return {reinterpret_cast<T*>(data_), static_cast<size_t>(numel_)};
  }
  double item(int64_t index = 0) const;  // one element, converted

  Tensor reshape(Shape shape) const;                                      // view; one -1 is inferred
  Tensor narrow(int64_t dimension, int64_t start, int64_t length) const;  // view along dimension 0, else a copy
  Tensor permute(const std::vector<int64_t>& order) const;                // copy
  Tensor clone() const;
  Tensor to(Device device) const;  // itself when already there
  Tensor to(DType dtype) const;
  void copy_(const Tensor& source) const;  // same shape; converts the element type, crosses devices
  void fill_(double value) const;
  void assign(std::span<const std::byte> bytes) const;

  // torch.chunk: pieces of ceil(n / count), only the non-empty ones, so possibly fewer than asked for; of n = 0,
  // `count` empty ones.
  std::vector<Tensor> chunk(int64_t count, int64_t dimension = 0) const;
  // torch.tensor_split: always `count` pieces, the first n % count one longer.
  std::vector<Tensor> tensor_split(int64_t count, int64_t dimension = 0) const;
  // Of equal types, devices and shapes but for `dimension`; at least one piece.
  static Tensor cat(const std::vector<Tensor>& pieces, int64_t dimension = 0);

  bool shares_memory_with(const Tensor& other) const;  // is any byte in both?
  bool bit_equal(const Tensor& other) const;           // shape, type and every bit

 private:
  void check_type(DType wanted) const;

  std::shared_ptr<const void> owner_;
  std::byte* data_ = nullptr;
  Shape shape_{0};
  int64_t numel_ = 0;
  uint32_t shape_hash_ = runtime::shape_hash(shape_);  // kept, since every call asks for it; a Tensor is one cache line
  DType dtype_ = DType::F32;
  Device device_ = Device::Host;
};

}  // namespace ranklint::runtime
