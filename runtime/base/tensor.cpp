#include "runtime/base/tensor.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "runtime/base/convert.h"
#include "runtime/base/dispatch.h"
#include "runtime/base/memory.h"

namespace ranklint::runtime {

std::string_view name_of(Device device) { return device == Device::Host ? "host" : "accelerator"; }

Tensor Tensor::borrow(std::shared_ptr<const void> owner, std::byte* data, Shape shape, DType dtype, Device device) {
  if (reinterpret_cast<uintptr_t>(data) % runtime::size_bytes(dtype) != 0)
    fail(ErrorKind::InvalidArgument, "borrowed elements are not aligned for " + std::string(name_of(dtype)));
  Tensor out;
  out.numel_ = numel_of(shape);
  if (!data && out.numel_ > 0)
    fail(ErrorKind::InvalidArgument, "no memory is lent for the elements of " + to_string(shape));
  out.shape_hash_ = runtime::shape_hash(shape);
  out.owner_ = std::move(owner);
  out.data_ = data;
  out.shape_ = std::move(shape);
  out.dtype_ = dtype;
  out.device_ = device;
  return out;
}

Tensor Tensor::empty(Shape shape, DType dtype, Device device) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<size_t>(numel_of(shape)), runtime::size_bytes(dtype), &bytes))
    fail(ErrorKind::InvalidArgument, "more bytes than can be counted: " + to_string(shape));
  const std::shared_ptr<std::byte> memory = allocate_memory(bytes);
  return borrow(memory, memory.get(), std::move(shape), dtype, device);
}

Tensor Tensor::zeros(Shape shape, DType dtype, Device device) {
  Tensor out = empty(std::move(shape), dtype, device);
  std::memset(out.data_, 0, out.size_bytes());
  return out;
}

Tensor Tensor::full(Shape shape, double value, DType dtype, Device device) {
  Tensor out = empty(std::move(shape), dtype, device);
  out.fill_(value);
  return out;
}

Tensor Tensor::arange(int64_t count, DType dtype, Device device) {
  const Tensor numbers = empty({count}, DType::I64, device);
  std::iota(numbers.as<int64_t>().begin(), numbers.as<int64_t>().end(), int64_t{0});
  return numbers.to(dtype);
}

int64_t Tensor::size(int64_t dimension) const {
  return shape_[static_cast<size_t>(normalized_dimension(dimension, shape_))];
}

void Tensor::check_type(DType wanted) const {
  if (wanted == dtype_) return;
  fail(ErrorKind::InvalidArgument,
       "a " + std::string(name_of(dtype_)) + " tensor read as " + std::string(name_of(wanted)));
}

double Tensor::item(int64_t index) const {
  if (index < 0 || index >= numel_)
    fail(ErrorKind::InvalidArgument, "element " + std::to_string(index) + " of a tensor of shape " + to_string(shape_));
  return element_as_double(data_ + static_cast<size_t>(index) * runtime::size_bytes(dtype_), dtype_);
}

Tensor Tensor::clone() const {
  Tensor out = empty(shape_, dtype_, device_);
  out.copy_(*this);
  return out;
}

Tensor Tensor::to(Device device) const {
  if (device == device_) return *this;
  Tensor out = empty(shape_, dtype_, device);
  out.copy_(*this);
  return out;
}

Tensor Tensor::to(DType dtype) const {
  if (dtype == dtype_) return *this;
  Tensor out = empty(shape_, dtype, device_);
  out.copy_(*this);
  return out;
}

void Tensor::copy_(const Tensor& source) const {
  if (shape_ != source.shape_)
    fail(ErrorKind::InvalidArgument, "copy_ of shape " + to_string(source.shape_) + " into shape " + to_string(shape_));
  if (dtype_ != source.dtype_ && shares_memory_with(source))
    fail(ErrorKind::InvalidArgument, "copy_ between two types in the same memory");
  convert_elements(data_, dtype_, source.data_, source.dtype_, numel_);
}

void Tensor::fill_(double value) const {
  if (numel_ == 0) return;
  convert_elements(data_, dtype_, reinterpret_cast<const std::byte*>(&value), DType::F64, 1);
  for (size_t done = runtime::size_bytes(dtype_); done < size_bytes();
       done *= 2)  // the filled part fills as much again
    std::memcpy(data_ + done, data_, std::min(done, size_bytes() - done));
}

void Tensor::assign(std::span<const std::byte> bytes) const {
  if (bytes.size() != size_bytes())
    fail(ErrorKind::InvalidArgument, std::to_string(bytes.size()) + " bytes for a " + std::string(name_of(dtype_)) +
                                         " tensor of shape " + to_string(shape_));
  if (!bytes.empty()) std::memmove(data_, bytes.data(), bytes.size());
}

bool Tensor::shares_memory_with(const Tensor& other) const {
  if (numel_ == 0 || other.numel_ == 0) return false;
  const std::less<const std::byte*> before;
  return before(data_, other.data_ + other.size_bytes()) && before(other.data_, data_ + size_bytes());
}

bool Tensor::bit_equal(const Tensor& other) const {
  if (dtype_ != other.dtype_ || shape_ != other.shape_) return false;
  return numel_ == 0 || std::memcmp(data_, other.data_, size_bytes()) == 0;
}

}  // namespace ranklint::runtime
