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

// out[c * width + r] = rows[r][c] * factor.
void transpose_four(const std::array<const float*, 4>& rows, int64_t count, float factor, float* out, int64_t width) {
  const auto [first, second, third, fourth] = rows;
  int64_t c = 0;
  for (; c + 4 <= count; c += 4, out += 4 * width) {
    const Four w = load(first + c), x = load(second + c), y = load(third + c), z = load(fourth + c);
    const Four a = __builtin_shufflevector(w, x, 0, 4, 1, 5), b = __builtin_shufflevector(y, z, 0, 4, 1, 5);
    const Four d = __builtin_shufflevector(w, x, 2, 6, 3, 7), e = __builtin_shufflevector(y, z, 2, 6, 3, 7);
    store(out, __builtin_shufflevector(a, b, 0, 1, 4, 5) * factor);
    store(out + width, __builtin_shufflevector(a, b, 2, 3, 6, 7) * factor);
    store(out + 2 * width, __builtin_shufflevector(d, e, 0, 1, 4, 5) * factor);
    store(out + 3 * width, __builtin_shufflevector(d, e, 2, 3, 6, 7) * factor);
  }
  for (; c < count; ++c, out += width)
    for (size_t r = 0; r < 4; ++r) out[r] = rows[r][c] * factor;
}

template <Unpack kHow>
float changed(float x, UnpackBy factors, float before) {
  if (kHow == Unpack::Divide) return x / factors.by;
  if (kHow == Unpack::Multiply) return x * factors.by;
  return kHow == Unpack::AddProduct ? before + x * factors.by : before * factors.keep + x / factors.by;
}

template <Unpack kHow>
void unpack(const float* row, int64_t head_dim, UnpackBy factors, float* to) {
  for (int64_t c = 0; c < head_dim; ++c) to[c] = changed<kHow>(row[c], factors, to[c]);
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

// transpose_four for rows of any type, of which `count` are there.
static void transpose_converted(const HeadRows& rows, int64_t begin, int64_t count, float factor, float* out, int64_t width) {
  std::array<std::array<float, kConverted>, 4> scratch;
  static constexpr std::array<float, kConverted> kZeros{};
  for (int64_t c = 0; c < rows.head_dim; c += kConverted) {
    const int64_t columns = std::min(kConverted, rows.head_dim - c);
    std::array<const float*, 4> from;
    for (int64_t r = 0; r < 4; ++r) {
      const auto row = static_cast<size_t>(r);
      from[row] = r < count ? columns_of(rows, begin + r, c, columns, scratch[row].data()) : kZeros.data();
    }
    transpose_four(from, columns, factor, out + c * width, width);
  }
}

// out[c][i] = rows[begin + i][c] * factor, 0 for i >= count; [head_dim][width].
static void pack_tile(const HeadRows& rows, int64_t begin, int64_t count, int64_t width, float factor, float* out) {
  for (int64_t i = 0; i < width; i += 4) {
    for (int64_t r = i + kRowsAhead; r < i + kRowsAhead + 4; ++r) prefetch(rows, begin + r);
    if (rows.dtype != DType::F32 || i + 4 > count) {
      transpose_converted(rows, begin + i, count - i, factor, out + i, width);
      continue;
    }
    const float* row = reinterpret_cast<const float*>(rows.data) + (begin + i) * rows.step;
    transpose_four({row, row + rows.step, row + 2 * rows.step, row + 3 * rows.step}, rows.head_dim, factor, out + i, width);
  }
}

void pack_tiles(const HeadRows& rows, int64_t begin, int64_t count, int64_t width, float* out, float factor) {
  for (int64_t i = 0; i < count; i += width)
    pack_tile(rows, begin + i, std::min(width, count - i), width, factor, out + i * rows.head_dim);
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

void unpack_row(const float* row, int64_t head_dim, UnpackBy factors, Unpack how, float* to) {
  switch (how) {
    case Unpack::Divide: return unpack<Unpack::Divide>(row, head_dim, factors, to);
    case Unpack::Multiply: return unpack<Unpack::Multiply>(row, head_dim, factors, to);
    case Unpack::AddProduct: return unpack<Unpack::AddProduct>(row, head_dim, factors, to);
    case Unpack::Join: return unpack<Unpack::Join>(row, head_dim, factors, to);
  }
}

}  // namespace ranklint::runtime
