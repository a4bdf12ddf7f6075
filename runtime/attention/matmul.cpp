// Blocked as K. Goto and R. van de Geijn describe it ("Anatomy of High-Performance Matrix Multiplication", 2008): a
// block of A and a block of B are packed so that the kernel reads both front to back; a panel of B stays in the first
// cache, the block of A in the second. A piece of work is one block of C, which sums over k in one fixed order.
#include "runtime/attention/matmul.h"

#include <algorithm>
#include <vector>

#include "runtime/attention/kernel.h"
#include "runtime/attention/parallel.h"
#include "runtime/attention/prepare.h"
#include "runtime/attention/workspace.h"

namespace ranklint::runtime {

namespace {

constexpr int64_t kRows = 384, kColumns = 512, kDepth = 192;  // of a block; kRows and kColumns fit every kernel's tile

// Element (i, j) at data[i * row_step + j * column_step].
struct Matrix {
  Matrix(const Tensor& tensor, MatrixForm form)
      : data(tensor.as<float>().data()), rows(tensor.size(0)), columns(tensor.size(1)), row_step(tensor.size(1)) {
    if (form == MatrixForm::AsIs) return;
    std::swap(rows, columns);
    std::swap(row_step, column_step);
  }
  const float* data;
  int64_t rows, columns, row_step, column_step = 1;
};

// out[i / width][k][i % width], zero beyond `count`: the rows [begin, begin + count) of `m` at columns [from, from +
// depth).
void pack(const Matrix& m, int64_t begin, int64_t count, int64_t from, int64_t depth, int64_t width, float* out) {
  for (int64_t tile = 0; tile < count; tile += width, out += depth * width) {
    const int64_t here = std::min(width, count - tile);
    const float* at = m.data + (begin + tile) * m.row_step + from * m.column_step;
    if (here < width) std::fill_n(out, depth * width, 0.0f);
    if (m.row_step == 1) {
      for (int64_t k = 0; k < depth; ++k) std::copy_n(at + k * m.column_step, here, out + k * width);
    } else {
      for (int64_t i = 0; i < here; ++i)
        for (int64_t k = 0; k < depth; ++k) out[k * width + i] = at[i * m.row_step + k * m.column_step];
    }
  }
}

struct Product {
  const Kernel& kernel;
  Matrix a, b_transposed;  // [m, k] and [n, k]
  float* c;                // [m, n]
};

// C[row .. row + rows)[column .. column + columns), all of k.
void block(const Product& p, int64_t row, int64_t rows, int64_t column, int64_t columns, float* a, float* b,
           float* tile) {
  const int64_t tall = p.kernel.tile_rows, wide = p.kernel.tile_columns, n = p.b_transposed.rows;
  for (int64_t from = 0; from < p.a.columns; from += kDepth) {
    const int64_t depth = std::min(kDepth, p.a.columns - from);
    pack(p.a, row, rows, from, depth, tall, a);
    pack(p.b_transposed, column, columns, from, depth, wide, b);
    for (int64_t j = 0; j < columns; j += wide)
      for (int64_t i = 0; i < rows; i += tall) {
        const bool whole = i + tall <= rows && j + wide <= columns;
        float* c = p.c + (row + i) * n + column + j;
        p.kernel.product({.a = a + i * depth,
                          .b = b + j * depth,
                          .depth = depth,
                          .c = whole ? c : tile,
                          .c_step = whole ? n : wide,
                          .add = whole && from > 0});
        if (whole) continue;
        for (int64_t r = 0; r < std::min(tall, rows - i); ++r)
          for (int64_t s = 0; s < std::min(wide, columns - j); ++s)
            c[r * n + s] = tile[r * wide + s] + (from > 0 ? c[r * n + s] : 0.0f);
      }
  }
}

struct Scratch {
  explicit Scratch(const Kernel& kernel)
      : a(kDepth * round_up(kRows, kernel.tile_rows)),
        b(kDepth * round_up(kColumns, kernel.tile_columns)),
        tile(static_cast<int64_t>(kernel.tile_rows) * kernel.tile_columns) {}
  FloatBuffer a, b, tile;
};

}  // namespace

Tensor matmul(const Tensor& a, MatrixForm a_form, const Tensor& b, MatrixForm b_form, const MatmulOptions& options) {
  if (a.dim() != 2 || b.dim() != 2)
    fail(ErrorKind::InvalidArgument, "a product of " + to_string(a.shape()) + " and " + to_string(b.shape()));
  const Tensor a32 = a.to(DType::F32), b32 = b.to(DType::F32);
  const Matrix left(a32, a_form), right(b32, b_form == MatrixForm::AsIs ? MatrixForm::Transposed : MatrixForm::AsIs);
  if (left.columns != right.columns)
    fail(ErrorKind::InvalidArgument,
         "a product over " + std::to_string(left.columns) + " and " + std::to_string(right.columns) + " elements");
  const Tensor c = Tensor::zeros({left.rows, right.rows});
  const Product product{options.kernel ? *options.kernel : best_kernel(), left, right, c.as<float>().data()};
  const int64_t down = (left.rows + kRows - 1) / kRows, across = (right.rows + kColumns - 1) / kColumns;
  std::vector<Scratch> scratches;
  for (int i = 0; i < workers_for(options.threads, down * across); ++i) scratches.emplace_back(product.kernel);
  parallel_for(options.threads, down * across, [&](int worker, int64_t i) {
    const int64_t row = i / across * kRows, column = i % across * kColumns;
    const Scratch& scratch = scratches[static_cast<size_t>(worker)];
    block(product, row, std::min(kRows, left.rows - row), column, std::min(kColumns, right.rows - column),
          scratch.a.data(), scratch.b.data(), scratch.tile.data());
  });
  return c;
}

}  // namespace ranklint::runtime
