// What an optimizer's side of sharding computes on local tensors. Floating-point types only; the half types in f32.
#pragma once

#include "runtime/base/tensor.h"

namespace ranklint::runtime {

void add_to(const Tensor& sum, const Tensor& other);  // same shape and type
void scale_by(const Tensor& tensor, double factor);
// Sum of |x|^p in f64, in the order of the elements; the largest |x| for p = infinity.
double power_sum(const Tensor& tensor, double p);

}  // namespace ranklint::runtime
