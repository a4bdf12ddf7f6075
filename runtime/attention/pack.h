// Rearranging one head's rows into the operands of the kernels (kernel.h names the forms) and back.
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

// out[c][i] = rows[begin + i][c] * factor for i < count, 0 for count <= i < width; [head_dim][width].
void pack_transposed(const HeadRows& rows, int64_t begin, int64_t count, int64_t width, float factor, float* out);

// out[c / width][i][c % width] = rows[begin + i][c], 0 for i >= count and c >= head_dim; [tiles][length][width].
void pack_columns(const HeadRows& rows, int64_t begin, int64_t count, int64_t length, int64_t width, float* out);

// What becomes of an element x of lane i on its way out of a panel.
enum class Unpack : uint8_t {
  Divide,     // to = x / by[i]: not times 1 / by[i], whose rounding would be common to a whole row
  Multiply,   // to = x * by[i]
  AddProduct,  // to += x * by[i]
  Join         // to = to * keep[i] + x / by[i]
};

// The factors of the lanes; `keep` is for Join alone.
struct UnpackBy {
  const float* by = nullptr;
  const float* keep = nullptr;
};

// to[i * step + c] = panel[c][i], changed so, for i < count; panel: [>= head_dim][width].
void unpack_panel(const float* panel, int64_t head_dim, int64_t width, int64_t count, UnpackBy factors, Unpack how, float* to,
                  int64_t step);

}  // namespace ranklint::runtime
