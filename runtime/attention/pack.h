// One head's rows made operands of the kernels (kernel.h names the forms), and the kernels' rows made results.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/base/tensor.h"

namespace ranklint::runtime {

// One head of a tensor [batch, length, heads, head_dim]: row i begins at data + i * step elements.
struct HeadRows {
  const std::byte* data = nullptr;
  DType dtype = DType::F32;
  int64_t step = 0;
  int64_t head_dim = 0;
};

HeadRows head_rows(const Tensor& tensor, int64_t batch, int64_t head);

// Columns [c, c + count) of a row as f32: in place, or converted into `scratch`; count <= kConverted.
inline constexpr int64_t kConverted = 64;
const float* columns_of(const HeadRows& rows, int64_t row, int64_t c, int64_t count, float* scratch);

// Rows of a head lie far apart, and no processor guesses where the next one begins: each is asked for this much earlier.
inline constexpr int64_t kRowsAhead = 8;

inline void prefetch_row(const void* row, int64_t size_bytes) {
  for (int64_t at = 0; at < size_bytes; at += 64) __builtin_prefetch(static_cast<const char*>(row) + at);
}

// out[i / width][c][i % width] = rows[begin + i][c] * factor, 0 for i >= count: rows transposed, `width` at a time.
void pack_tiles(const HeadRows& rows, int64_t begin, int64_t count, int64_t width, float* out, float factor = 1);

// out[c / width][i][c % width] = rows[begin + i][c], 0 for i >= count and c >= head_dim; [tiles][length][width].
void pack_columns(const HeadRows& rows, int64_t begin, int64_t count, int64_t length, int64_t width, float* out);

// What becomes of an element x on its way out.
enum class Unpack : uint8_t {
  Divide,      // to = x / by: not times 1 / by, whose rounding would be common to a whole row
  Multiply,    // to = x * by
  AddProduct,  // to += x * by
  Join         // to = to * keep + x / by
};

// The factors of a row; `keep` is for Join alone.
struct UnpackBy {
  float by = 1, keep = 0;
};

void unpack_row(const float* row, int64_t head_dim, UnpackBy factors, Unpack how, float* to);

}  // namespace ranklint::runtime
