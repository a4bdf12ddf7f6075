// From an element type as a value to the C++ type that holds it.
#pragma once

#include <type_traits>
#include <utility>

#include "runtime/base/dtype.h"

namespace ranklint::runtime {

// Calls f(std::type_identity<T>{}) with the T of `dtype`.
template <typename F>
decltype(auto) with_element_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::F32: return f(std::type_identity<float>{});
    case DType::F64: return f(std::type_identity<double>{});
    case DType::BF16: return f(std::type_identity<BFloat16>{});
    case DType::F16: return f(std::type_identity<Float16>{});
    case DType::I32: return f(std::type_identity<int32_t>{});
    case DType::I64: return f(std::type_identity<int64_t>{});
    case DType::U8: break;
  }
  return f(std::type_identity<uint8_t>{});
}

}  // namespace ranklint::runtime
