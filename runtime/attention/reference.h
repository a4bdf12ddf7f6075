// Attention as the formulas say it, in double and one element at a time: what the kernels are checked against.
//
// Shapes and meaning as in attention.h, with f64 for every result; inputs of any floating type. It takes a function for
// the mask, so that it shares nothing with the plans of the kernels. RankError{InvalidArgument} for shapes that do not
// fit together.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "runtime/base/tensor.h"

namespace ranklint::runtime {

using Sees = std::function<bool(int64_t query, int64_t key)>;

struct ReferenceOutput {
  Tensor out, lse;
};

struct ReferenceGradients {
  Tensor dq, dk, dv;
};

ReferenceOutput reference_forward(const Tensor& q, const Tensor& k, const Tensor& v, const Sees& sees,
                                  std::optional<double> scale = {});

ReferenceGradients reference_backward(const Tensor& dout, const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Sees& sees, std::optional<double> scale = {});

}  // namespace ranklint::runtime
