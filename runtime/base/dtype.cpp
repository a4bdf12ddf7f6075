#include "runtime/base/dtype.h"

#include <bit>
#include <cmath>

namespace ranklint::runtime {

std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::F32: return "float32";
    case DType::F64: return "float64";
    case DType::BF16: return "bfloat16";
    case DType::F16: return "float16";
    case DType::I32: return "int32";
    case DType::I64: return "int64";
    case DType::U8: return "uint8";
  }
  return "?";
}

// IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits.
float to_float(Float16 value) {
  const uint32_t sign = uint32_t{value.bits & 0x8000u} << 16;
  const uint32_t exponent = value.bits >> 10 & 0x1f;
  const uint32_t fraction = value.bits & 0x3ff;
  if (exponent == 0) {  // zero and subnormals: fraction * 2^-24
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
  }
  const uint32_t wide = exponent == 0x1f ? 0xffu : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

// Below 2^-14 a binary16 is a multiple of 2^-24: adding 0.5 leaves exactly those multiples in the float's fraction, and
// the addition itself rounds to nearest even.
static uint16_t subnormal_half(float magnitude) {
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(magnitude + 0.5F) - std::bit_cast<uint32_t>(0.5F));
}

static uint16_t normal_half(float magnitude) {
  const uint32_t bits = std::bit_cast<uint32_t>(magnitude);
  const uint32_t to_even = 0xfff + (bits >> 13 & 1);
  const uint32_t rebias = (127 - 15) << 23;
  return static_cast<uint16_t>((bits - rebias + to_even) >> 13);
}

Float16 to_float16(float value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return {static_cast<uint16_t>(sign | 0x7e00)};
  if (magnitude >= 65520.0F) return {static_cast<uint16_t>(sign | 0x7c00)};  // the first that rounds past the largest
  const uint16_t half = magnitude < 0x1p-14F ? subnormal_half(magnitude) : normal_half(magnitude);
  return {static_cast<uint16_t>(sign | half)};
}

}  // namespace ranklint::runtime
