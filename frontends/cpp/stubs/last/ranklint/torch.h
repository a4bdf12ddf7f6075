// Of PyTorch's C++ interface what code around process groups asks for: tensors as handles, intrusive pointers, macros.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace c10 {

enum class ScalarType : int8_t { Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, BFloat16, Undefined };
enum class DeviceType : int8_t { CPU, CUDA, HIP, XPU, MPS, Meta, PrivateUse1 };
using DeviceIndex = int8_t;
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kMeta = DeviceType::Meta;
struct Device {
  Device(DeviceType type, DeviceIndex index = -1);
  Device(const std::string& text);
  Device(const char* text);
  DeviceIndex index() const;
  DeviceType type() const;
  bool is_cuda() const;
  bool is_cpu() const;
  std::string str() const;
};
template <typename T> class ArrayRef {
 public:
  ArrayRef() = default;
  ArrayRef(const T& one);
  ArrayRef(const std::vector<T>& all);
  ArrayRef(std::initializer_list<T> all);
  const T* begin() const;
  const T* end() const;
  size_t size() const;
  const T& operator[](size_t i) const;
  std::vector<T> vec() const;
};
using IntArrayRef = ArrayRef<int64_t>;
template <typename T> using optional = std::optional<T>;
using nullopt_t = std::nullopt_t;
inline constexpr nullopt_t nullopt = std::nullopt;
struct Scalar {
  template <typename T> Scalar(T value);
};
struct TensorOptions {
  TensorOptions() = default;
  TensorOptions(ScalarType type);
  TensorOptions(DeviceType device);
  TensorOptions(Device device);
  TensorOptions dtype(ScalarType type) const;
  TensorOptions device(Device device) const;
  TensorOptions device(DeviceType type, DeviceIndex index = -1) const;
  TensorOptions requires_grad(bool flag) const;
};

class intrusive_ptr_target {
 public:
  virtual ~intrusive_ptr_target() = default;
};
template <typename T> class intrusive_ptr {
 public:
  intrusive_ptr() = default;
  intrusive_ptr(std::nullptr_t);
  template <typename U> intrusive_ptr(const intrusive_ptr<U>& other);
  template <typename... Args> static intrusive_ptr make(Args&&... args);
  T* operator->() const;
  T& operator*() const;
  T* get() const;
  bool defined() const;
  void reset();
  explicit operator bool() const;
};
template <typename T, typename... Args> intrusive_ptr<T> make_intrusive(Args&&... args);
template <typename T, typename U> intrusive_ptr<T> static_intrusive_pointer_cast(const intrusive_ptr<U>& from);
template <typename T, typename U> intrusive_ptr<T> dynamic_intrusive_pointer_cast(const intrusive_ptr<U>& from);

namespace ivalue {
struct Future {
  void wait();
  bool completed() const;
};
}  // namespace ivalue
struct IValue {
  template <typename T> IValue(T value);
};

namespace cuda {
struct CUDAStream {
  void* stream() const;
  void synchronize() const;
};
CUDAStream getCurrentCUDAStream(DeviceIndex device = -1);
CUDAStream getStreamFromPool(bool high_priority = false, DeviceIndex device = -1);
struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex device);
  explicit CUDAGuard(Device device);
};
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream stream);
};
}  // namespace cuda

}  // namespace c10

namespace at {

using namespace c10;
using c10::ScalarType;
using c10::TensorOptions;
constexpr ScalarType kFloat = ScalarType::Float, kDouble = ScalarType::Double, kInt = ScalarType::Int, kLong = ScalarType::Long,
                     kByte = ScalarType::Byte, kChar = ScalarType::Char, kHalf = ScalarType::Half, kBFloat16 = ScalarType::BFloat16,
                     kBool = ScalarType::Bool;

class Tensor {
 public:
  Tensor() = default;
  bool defined() const;
  int64_t numel() const;
  int64_t dim() const;
  int64_t size(int64_t dimension) const;
  int64_t nbytes() const;
  int64_t element_size() const;
  int64_t storage_offset() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  ScalarType scalar_type() const;
  ScalarType dtype() const;
  TensorOptions options() const;
  Device device() const;
  DeviceIndex get_device() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_contiguous() const;
  bool is_sparse() const;
  bool is_meta() const;
  bool requires_grad() const;
  bool equal(const Tensor& other) const;
  Tensor grad() const;
  Tensor& mutable_grad() const;
  Tensor contiguous() const;
  Tensor clone() const;
  Tensor detach() const;
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor flatten() const;
  Tensor sum() const;
  Tensor mean() const;
  Tensor norm() const;
  Tensor abs() const;
  Tensor view(IntArrayRef shape) const;
  Tensor reshape(IntArrayRef shape) const;
  Tensor narrow(int64_t dimension, int64_t start, int64_t length) const;
  Tensor slice(int64_t dimension, std::optional<int64_t> start = {}, std::optional<int64_t> end = {}, int64_t step = 1) const;
  Tensor select(int64_t dimension, int64_t index) const;
  Tensor transpose(int64_t a, int64_t b) const;
  Tensor permute(IntArrayRef order) const;
  Tensor squeeze() const;
  Tensor unsqueeze(int64_t dimension) const;
  template <typename... Args> Tensor to(Args&&... args) const;
  Tensor& copy_(const Tensor& from, bool non_blocking = false) const;
  Tensor& zero_() const;
  Tensor& fill_(Scalar value) const;
  Tensor& add_(const Tensor& other, Scalar alpha = 1) const;
  Tensor& add_(Scalar other) const;
  Tensor& mul_(const Tensor& other) const;
  Tensor& mul_(Scalar other) const;
  Tensor& div_(const Tensor& other) const;
  Tensor& div_(Scalar other) const;
  Tensor& resize_(IntArrayRef shape) const;
  void backward() const;
  void record_stream(c10::cuda::CUDAStream stream) const;
  template <typename T> T item() const;
  Scalar item() const;
  template <typename T> T* data_ptr() const;
  void* data_ptr() const;
  template <typename T> const T* const_data_ptr() const;
  Tensor operator[](int64_t index) const;
};
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator+(const Tensor& a, Scalar b);
Tensor operator-(const Tensor& a, Scalar b);
Tensor operator*(const Tensor& a, Scalar b);
Tensor operator/(const Tensor& a, Scalar b);
using TensorList = ArrayRef<Tensor>;

Tensor empty(IntArrayRef shape, TensorOptions options = {});
Tensor zeros(IntArrayRef shape, TensorOptions options = {});
Tensor ones(IntArrayRef shape, TensorOptions options = {});
Tensor full(IntArrayRef shape, Scalar value, TensorOptions options = {});
Tensor rand(IntArrayRef shape, TensorOptions options = {});
Tensor randn(IntArrayRef shape, TensorOptions options = {});
Tensor arange(Scalar end, TensorOptions options = {});
Tensor empty_like(const Tensor& like);
Tensor zeros_like(const Tensor& like);
Tensor ones_like(const Tensor& like);
Tensor cat(TensorList parts, int64_t dimension = 0);
Tensor stack(TensorList parts, int64_t dimension = 0);
Tensor matmul(const Tensor& a, const Tensor& b);
Tensor sum(const Tensor& t);
bool equal(const Tensor& a, const Tensor& b);
bool allclose(const Tensor& a, const Tensor& b);
template <typename T> Tensor tensor(T values, TensorOptions options = {});
template <typename T> Tensor from_blob(T* data, IntArrayRef shape, TensorOptions options = {});
namespace cuda {
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
}  // namespace cuda

}  // namespace at

namespace torch {
using namespace at;
using at::Tensor;
template <typename T> using optional = std::optional<T>;
struct NoGradGuard {
  NoGradGuard();
  ~NoGradGuard();
};
}  // namespace torch

[[noreturn]] void ranklint_torch_fail();
#define TORCH_CHECK(condition, ...) do { if (!(condition)) ranklint_torch_fail(); } while (0)
#define TORCH_CHECK_WITH(type, condition, ...) TORCH_CHECK(condition)
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition)
#define AT_ASSERT(condition, ...) TORCH_CHECK(condition)
#define AT_ERROR(...) ranklint_torch_fail()
#define TORCH_WARN(...) ((void)0)
#define TORCH_WARN_ONCE(...) ((void)0)
#define TORCH_API
#define TORCH_CUDA_CPP_API
#define C10_CUDA_CHECK(call) (void)(call)
#define AT_CUDA_CHECK(call) (void)(call)
#define C10D_NCCL_CHECK(call, ...) (void)(call)
