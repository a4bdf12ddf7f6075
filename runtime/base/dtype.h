// Element types and their sizes. bf16 and f16 are storage: arithmetic on them is done in f32 and rounded to nearest
// even.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ranklint::runtime {

enum class DType : uint8_t { F32, F64, BF16, F16, I32, I64, U8 };

struct BFloat16 {
  uint16_t bits = 0;
};
struct Float16 {
  uint16_t bits = 0;
};

constexpr size_t size_bytes(DType dtype) {
  switch (dtype) {
    case DType::F64:
    case DType::I64: return 8;
    case DType::F32:
    case DType::I32: return 4;
    case DType::BF16:
    case DType::F16: return 2;
    case DType::U8: return 1;
  }
  return 0;
}

std::string_view name_of(DType dtype);  // "float32", "bfloat16", ...: torch's words

float to_float(Float16 value);
Float16 to_float16(float value);  // overflow becomes infinity

// A bfloat16 is the upper half of a float. Defined here because whole tensors pass through.
inline float to_float(BFloat16 value) { return std::bit_cast<float>(uint32_t{value.bits} << 16); }

// Round to nearest even; NaN stays NaN.
inline BFloat16 to_bfloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value != value) return {static_cast<uint16_t>(bits >> 16 | 0x40)};  // quiet, so that no cut makes it infinity
  const uint32_t to_even = 0x7fff + (bits >> 16 & 1);
  return {static_cast<uint16_t>((bits + to_even) >> 16)};
}

template <typename T>
inline constexpr DType kDTypeOf = [] {
  static_assert(sizeof(T) == 0, "not an element type");
  return DType::U8;
}();
template <>
inline constexpr DType kDTypeOf<float> = DType::F32;
template <>
inline constexpr DType kDTypeOf<double> = DType::F64;
template <>
inline constexpr DType kDTypeOf<BFloat16> = DType::BF16;
template <>
inline constexpr DType kDTypeOf<Float16> = DType::F16;
template <>
inline constexpr DType kDTypeOf<int32_t> = DType::I32;
template <>
inline constexpr DType kDTypeOf<int64_t> = DType::I64;
template <>
inline constexpr DType kDTypeOf<uint8_t> = DType::U8;

}  // namespace ranklint::runtime
