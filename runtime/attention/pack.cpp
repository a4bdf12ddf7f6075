#include "runtime/attention/pack.h"

#include <algorithm>
#include <array>

#include "runtime/attention/prepare.h"
#include "runtime/base/error.h"

namespace ranklint::runtime {

// Columns [c, c + count) of a row as f32: in place, or converted into `scratch`; count <= kConverted.
static const float* columns_of(const HeadRows& rows, int64_t row, int64_t c, int64_t count, float* scratch) {
  const int64_t at = row * rows.step + c;
  switch (rows.dtype) {
    case DType::F32: return reinterpret_cast<const float*>(rows.data) + at;
    case DType::BF16: {
      const auto* from = reinterpret_cast<const BFloat16*>(rows.data) + at;
      for (int64_t i = 0; i < count; ++i) scratch[i] = to_float(from[i]);
      return scratch;
    }
    case DType::F16: {
      const auto* from = reinterpret_cast<const Float16*>(rows.data) + at;
      for (int64_t i = 0; i < count; ++i) scratch[i] = to_float(from[i]);
      return scratch;
    }
    default: fail(ErrorKind::Unsupported, "attention on " + std::string(name_of(rows.dtype)));
  }
}

HeadRows head_rows(const Tensor& tensor, int64_t batch, int64_t head) {
  const int64_t length = tensor.size(1), heads = tensor.size(2), head_dim = tensor.size(3);
  const int64_t at = (batch * length * heads + head) * head_dim;
  return {.data = tensor.data() + at * static_cast<int64_t>(size_bytes(tensor.dtype())),
          .dtype = tensor.dtype(),
          .step = heads * head_dim,
          .head_dim = head_dim};
}

void pack_columns(const Kernel& kernel, const HeadRows& rows, int64_t begin, int64_t count, int64_t length,
                  float* out) {
  const int64_t tile = kernel.tile_columns;
  for (int64_t c = 0; c < rows.head_dim; c += tile)
    std::fill(out + c * length + count * tile, out + (c + tile) * length, 0.0f);
  if ((rows.dtype == DType::F32 || rows.dtype == DType::BF16) && rows.head_dim % tile == 0) {
    ColumnPack whole{
        .step = rows.step, .count = count, .width = static_cast<int>(rows.head_dim), .columns = out, .length = length};
    const std::byte* first = rows.data + begin * rows.step * static_cast<int64_t>(size_bytes(rows.dtype));
    if (rows.dtype == DType::F32)
      whole.rows = reinterpret_cast<const float*>(first);
    else
      whole.bf16_rows = reinterpret_cast<const uint16_t*>(first);
    return kernel.pack(whole);
  }
  std::array<float, kConverted> scratch;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t c = 0; c < rows.head_dim; c += kConverted) {
      const int64_t columns = std::min<int64_t>(kConverted, rows.head_dim - c), width = round_up(columns, tile);
      const float* from = columns_of(rows, begin + i, c, columns, scratch.data());
      if (from != scratch.data()) std::copy_n(from, columns, scratch.data());
      std::fill(scratch.data() + columns, scratch.data() + width, 0.0f);
      kernel.pack({.rows = scratch.data(),
                   .count = 1,
                   .width = static_cast<int>(width),
                   .columns = out + c * length + i * tile,
                   .length = length});
    }
}

void pack_panels(const Kernel& kernel, const float* columns, int64_t length, int64_t width, float factor,
                 float* panels) {
  for (int64_t row = 0; row < length; row += kernel.lanes)
    kernel.transpose({.columns = columns + row * kernel.tile_columns,
                      .length = length,
                      .width = static_cast<int>(width),
                      .factor = factor,
                      .panel = panels + row * width});
}

double dot_of_rows(const Kernel& kernel, const HeadRows& a, const HeadRows& b, int64_t row) {
  std::array<float, kConverted> a_scratch, b_scratch;
  double sum = 0;
  for (int64_t c = 0; c < a.head_dim; c += kConverted) {
    const int64_t count = std::min<int64_t>(kConverted, a.head_dim - c);
    sum += kernel.dot(columns_of(a, row, c, count, a_scratch.data()), columns_of(b, row, c, count, b_scratch.data()),
                      count);
  }
  return sum;
}

}  // namespace ranklint::runtime
