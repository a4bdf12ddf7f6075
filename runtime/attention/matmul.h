// Products of matrices in f32, over the same kernels as attention: what the tensor-parallel layers compute with.
#pragma once

#include "runtime/base/tensor.h"

namespace ranklint::runtime {

struct Kernel;

enum class MatrixForm : uint8_t { AsIs, Transposed };

struct MatmulOptions {
  int threads = 1;
  const Kernel* kernel = nullptr;  // null: best_kernel()
};

// op(a) op(b), op as the forms say, in f32 for a, b: [rows, columns], stored as f32, bf16 or f16. The same bits on
// every run and for every number of threads. Throws RankError{InvalidArgument} when the inner sizes differ.
Tensor matmul(const Tensor& a, MatrixForm a_form, const Tensor& b, MatrixForm b_form,
              const MatmulOptions& options = {});

}  // namespace ranklint::runtime
