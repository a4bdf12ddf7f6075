#include "runtime/base/convert.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/base/dispatch.h"

namespace ranklint::runtime {

// The half types compute as float; every other type is its own.
static float widen(BFloat16 value) { return to_float(value); }
static float widen(Float16 value) { return to_float(value); }
template <typename T>
static T widen(T value) {
  return value;
}

template <typename To, typename From>
static To saturate(From value) {
  if (value != value) return 0;
  // The end of the range as a power of two is exact in every floating-point type; max() itself may not be.
  const auto end = static_cast<From>(std::ldexp(1.0, std::numeric_limits<To>::digits));
  if (value >= end) return std::numeric_limits<To>::max();
  if (value <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  return static_cast<To>(value);
}

template <typename To, typename From>
static To convert(From value) {
  const auto wide = widen(value);
  if constexpr (std::is_same_v<To, BFloat16>)
    return to_bfloat16(static_cast<float>(wide));
  else if constexpr (std::is_same_v<To, Float16>)
    return to_float16(static_cast<float>(wide));
  else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<decltype(wide)>)
    return saturate<To>(wide);
  else
    return static_cast<To>(wide);
}

template <typename To, typename From>
static void convert_all(std::byte* target, const std::byte* source, int64_t count) {
  auto* to = reinterpret_cast<To*>(target);
  const auto* from = reinterpret_cast<const From*>(source);
  for (int64_t i = 0; i < count; ++i) to[i] = convert<To>(from[i]);
}

void convert_elements(std::byte* target, DType target_type, const std::byte* source, DType source_type, int64_t count) {
  if (count == 0) return;
  if (target_type == source_type) {
    std::memmove(target, source, static_cast<size_t>(count) * size_bytes(target_type));
    return;
  }
  with_element_type(target_type, [&]<typename To>(std::type_identity<To>) {
    with_element_type(source_type,
                      [&]<typename From>(std::type_identity<From>) { convert_all<To, From>(target, source, count); });
  });
}

double element_as_double(const std::byte* element, DType dtype) {
  return with_element_type(dtype, [&]<typename T>(std::type_identity<T>) {
    return static_cast<double>(widen(*reinterpret_cast<const T*>(element)));
  });
}

}  // namespace ranklint::runtime
