// One head's rows made operands of the kernels (kernel.h names the forms).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/attention/kernel.h"
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

// Rows of a head lie far apart, and no processor guesses where the next one begins: each is asked for this much
// earlier.
inline constexpr int64_t kRowsAhead = 8;

// Inlined, since GCC takes a function that only asks for memory for one that does nothing, and leaves its calls out.
[[gnu::always_inline]] inline void prefetch_row(const void* row, int64_t size_bytes) {
  for (int64_t at = 0; at < size_bytes; at += 64) __builtin_prefetch(static_cast<const char*>(row) + at);
}
[[gnu::always_inline]] inline void prefetch_row(const HeadRows& rows, int64_t row) {
  const auto element = static_cast<int64_t>(size_bytes(rows.dtype));
  prefetch_row(rows.data + row * rows.step * element, rows.head_dim * element);
}

// Columns of the rows [begin, begin + count), `length` long: zeros from row `count` on, and beyond head_dim.
void pack_columns(const Kernel& kernel, const HeadRows& rows, int64_t begin, int64_t count, int64_t length, float* out);

// Panel after panel of columns that are `length` long, a multiple of the lanes, times `factor`.
void pack_panels(const Kernel& kernel, const float* columns, int64_t length, int64_t width, float factor,
                 float* panels);

// The sum over head_dim of a row of each, both of the same head.
double dot_of_rows(const Kernel& kernel, const HeadRows& a, const HeadRows& b, int64_t row);

}  // namespace ranklint::runtime
