// Elements of one type as elements of another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/base/dtype.h"

namespace ranklint::runtime {

// `count` elements from `source` to `target`; the two do not overlap unless the types are equal. A floating-point
// number becomes an integer by cutting; beyond the integer's range it becomes the nearest end, NaN becomes 0. f64
// reaches bf16 and f16 through f32.
void convert_elements(std::byte* target, DType target_type, const std::byte* source, DType source_type, int64_t count);

double element_as_double(const std::byte* element, DType dtype);

}  // namespace ranklint::runtime
