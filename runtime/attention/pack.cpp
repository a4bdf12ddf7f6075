#include "runtime/attention/pack.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/base/error.h"

namespace ranklint::runtime {

namespace {

// Four floats: a vector register of every processor that has any.
using Four [[gnu::vector_size(16)]] = float;

Four load(const float* from) {
  Four value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

void store(float* to, Four value) { std::memcpy(to, &value, sizeof value); }

Four all(float value) { return Four{value, value, value, value}; }

void transpose(std::array<Four, 4>& rows) {
  const Four a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5), b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
  const Four c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7), d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
  rows = {__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
          __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
}

// out[c * width + r] = rows[r][c] * factor.
void transpose_four(const std::array<const float*, 4>& rows, int64_t count, float factor, float* out, int64_t width) {
  int64_t c = 0;
  for (; c + 4 <= count; c += 4) {
    std::array<Four, 4> block = {load(rows[0] + c), load(rows[1] + c), load(rows[2] + c), load(rows[3] + c)};
    transpose(block);
    for (size_t i = 0; i < 4; ++i) store(out + (c + static_cast<int64_t>(i)) * width, block[i] * factor);
  }
  for (; c < count; ++c)
    for (size_t r = 0; r < 4; ++r) out[c * width + static_cast<int64_t>(r)] = rows[r][c] * factor;
}

template <Unpack kHow, typename T>
T changed(T x, T by, T keep, T before) {
  if (kHow == Unpack::Divide) return x / by;
  if (kHow == Unpack::Multiply) return x * by;
  return kHow == Unpack::AddProduct ? before + x * by : before * keep + x / by;
}

// unpack_panel for four rows.
template <Unpack kHow>
void unpack_four(const float* panel, int64_t head_dim, int64_t width, const float* by, const float* keep, float* to, int64_t step) {
  int64_t c = 0;
  for (; c + 4 <= head_dim; c += 4) {
    const float* from = panel + c * width;
    std::array<Four, 4> block = {load(from), load(from + width), load(from + 2 * width), load(from + 3 * width)};
    transpose(block);
    for (size_t r = 0; r < 4; ++r) {
      float* at = to + static_cast<int64_t>(r) * step + c;
      store(at, changed<kHow>(block[r], all(by[r]), all(keep[r]), load(at)));
    }
  }
  for (; c < head_dim; ++c)
    for (int64_t r = 0; r < 4; ++r) to[r * step + c] = changed<kHow>(panel[c * width + r], by[r], keep[r], to[r * step + c]);
}

template <Unpack kHow>
void unpack_rows(const float* panel, int64_t head_dim, int64_t width, int64_t count, UnpackBy factors, float* to, int64_t step) {
  const float* by = factors.by;
  const float* keep = kHow == Unpack::Join ? factors.keep : by;
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int64_t r = i + kRowsAhead; r < i + kRowsAhead + 4; ++r) prefetch_row(to + r * step, head_dim * static_cast<int64_t>(sizeof(float)));
    unpack_four<kHow>(panel + i, head_dim, width, by + i, keep + i, to + i * step, step);
  }
  for (; i < count; ++i)
    for (int64_t c = 0; c < head_dim; ++c) to[i * step + c] = changed<kHow>(panel[c * width + i], by[i], keep[i], to[i * step + c]);
}

}  // namespace

const float* columns_of(const HeadRows& rows, int64_t row, int64_t c, int64_t count, float* scratch) {
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
          .dtype = tensor.dtype(), .step = heads * head_dim, .head_dim = head_dim};
}

static void prefetch(const HeadRows& rows, int64_t row) {
  const auto element = static_cast<int64_t>(size_bytes(rows.dtype));
  prefetch_row(rows.data + row * rows.step * element, rows.head_dim * element);
}

void pack_transposed(const HeadRows& rows, int64_t begin, int64_t count, int64_t width, float factor, float* out) {
  std::array<std::array<float, kConverted>, 4> scratch;
  static constexpr std::array<float, kConverted> kZeros{};
  for (int64_t i = 0; i < width; i += 4) {
    for (int64_t r = i + kRowsAhead; r < i + kRowsAhead + 4; ++r) prefetch(rows, begin + r);
    for (int64_t c = 0; c < rows.head_dim; c += kConverted) {
      const int64_t columns = std::min(kConverted, rows.head_dim - c);
      std::array<const float*, 4> from;
      for (int64_t r = 0; r < 4; ++r)
        from[static_cast<size_t>(r)] = i + r < count ? columns_of(rows, begin + i + r, c, columns, scratch[static_cast<size_t>(r)].data())
                                                     : kZeros.data();
      transpose_four(from, columns, factor, out + c * width + i, width);
    }
  }
}

// pack_columns for tiles that the head fills and that are as wide as a few registers: each row is read once, and its parts
// go to the tiles without a call.
template <int64_t kWidth>
static void pack_whole_tiles(const HeadRows& rows, int64_t begin, int64_t count, int64_t length, float* out) {
  static_assert(kConverted % kWidth == 0);
  std::array<float, kConverted> scratch;
  for (int64_t c = 0; c < rows.head_dim; c += kWidth)
    std::fill(out + c * length + count * kWidth, out + (c + kWidth) * length, 0.0f);
  for (int64_t i = 0; i < count; ++i) {
    prefetch(rows, begin + i + kRowsAhead);
    for (int64_t c = 0; c < rows.head_dim; c += kConverted) {
      const int64_t columns = std::min(kConverted, rows.head_dim - c);
      const float* from = columns_of(rows, begin + i, c, columns, scratch.data());
      for (int64_t at = 0; at < columns; at += kWidth)
        std::memcpy(out + (c + at) * length + i * kWidth, from + at, kWidth * sizeof(float));
    }
  }
}

void pack_columns(const HeadRows& rows, int64_t begin, int64_t count, int64_t length, int64_t width, float* out) {
  if (rows.head_dim % width == 0) {
    if (width == 4) return pack_whole_tiles<4>(rows, begin, count, length, out);
    if (width == 8) return pack_whole_tiles<8>(rows, begin, count, length, out);
    if (width == 16) return pack_whole_tiles<16>(rows, begin, count, length, out);
    if (width == 32) return pack_whole_tiles<32>(rows, begin, count, length, out);
  }
  std::array<float, kConverted> scratch;
  const int64_t tiles = (rows.head_dim + width - 1) / width;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const int64_t columns = std::min(width, rows.head_dim - tile * width);
    float* to = out + tile * length * width;
    if (columns < width || count < length) std::fill(to, to + length * width, 0.0f);
    for (int64_t i = 0; i < count; ++i) {
      if (tile == 0) prefetch(rows, begin + i + kRowsAhead);
      const float* from = columns_of(rows, begin + i, tile * width, columns, scratch.data());
      std::memcpy(to + i * width, from, static_cast<size_t>(columns) * sizeof(float));
    }
  }
}

void unpack_panel(const float* panel, int64_t head_dim, int64_t width, int64_t count, UnpackBy factors, Unpack how, float* to,
                  int64_t step) {
  switch (how) {
    case Unpack::Divide: return unpack_rows<Unpack::Divide>(panel, head_dim, width, count, factors, to, step);
    case Unpack::Multiply: return unpack_rows<Unpack::Multiply>(panel, head_dim, width, count, factors, to, step);
    case Unpack::AddProduct: return unpack_rows<Unpack::AddProduct>(panel, head_dim, width, count, factors, to, step);
    case Unpack::Join: return unpack_rows<Unpack::Join>(panel, head_dim, width, count, factors, to, step);
  }
}

}  // namespace ranklint::runtime
