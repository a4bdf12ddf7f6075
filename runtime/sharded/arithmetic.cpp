#include "runtime/sharded/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/base/dispatch.h"

namespace ranklint::runtime {

static float wide(BFloat16 x) { return to_float(x); }
static float wide(Float16 x) { return to_float(x); }
static float wide(float x) { return x; }
static double wide(double x) { return x; }

static void store(BFloat16& to, float x) { to = to_bfloat16(x); }
static void store(Float16& to, float x) { to = to_float16(x); }
static void store(float& to, float x) { to = x; }
static void store(double& to, double x) { to = x; }

template <typename F>
static void with_floats(const Tensor& tensor, F&& f) {
  with_element_type(tensor.dtype(), [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>)
      fail(ErrorKind::Unsupported, "arithmetic on a " + std::string(name_of(tensor.dtype())) + " tensor");
    else
      f(tensor.as<T>());
  });
}

void add_to(const Tensor& sum, const Tensor& other) {
  if (sum.shape() != other.shape()) fail(ErrorKind::InvalidArgument, "sum of tensors of two shapes");
  with_floats(sum, [&]<typename T>(std::span<T> to) {
    const std::span<T> from = other.as<T>();
    for (size_t i = 0; i < to.size(); ++i) store(to[i], wide(to[i]) + wide(from[i]));
  });
}

void scale_by(const Tensor& tensor, double factor) {
  with_floats(tensor, [&]<typename T>(std::span<T> values) {
    for (T& value : values) store(value, static_cast<decltype(wide(value))>(wide(value) * factor));
  });
}

double power_sum(const Tensor& tensor, double p) {
  double result = 0;
  with_floats(tensor, [&]<typename T>(std::span<T> values) {
    for (const T value : values) {
      const double x = std::fabs(static_cast<double>(wide(value)));
      if (p == std::numeric_limits<double>::infinity())
        result = std::isnan(x) ? x : std::max(result, x);
      else
        result += p == 2 ? x * x : std::pow(x, p);
    }
  });
  return result;
}

}  // namespace ranklint::runtime
