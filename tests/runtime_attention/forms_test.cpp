// The forms that rows are packed into, and rows on their way out, for every instruction set that the processor at hand
// has.
#include <catch2/catch.hpp>

#include <bit>
#include <numeric>

#include "runtime/base/instructions.h"
#include "tests/runtime_attention/attention_support.h"

namespace ranklint::test {

namespace {

std::vector<float> numbers(size_t count) {
  std::vector<float> out(count);
  std::iota(out.begin(), out.end(), 1.0f);
  return out;
}

// columns[c / tile][row][c % tile], rows of `width`.
size_t place_in_columns(const rt::Kernel& kernel, int64_t length, int64_t row, int64_t c) {
  const int64_t tile = kernel.tile_columns;
  return static_cast<size_t>(c / tile * length * tile + row * tile + c % tile);
}

}  // namespace

TEST_CASE("rows become columns, and columns become panels") {
  for (const rt::Kernel* kernel : kernels()) {
    INFO(kernel->name);
    const int64_t width = 3 * kernel->tile_columns, length = kernel->lanes + 5, step = width + 7;
    const std::vector<float> rows = numbers(static_cast<size_t>(length * step));
    std::vector<float> columns(static_cast<size_t>(length * width)), panel(static_cast<size_t>(kernel->lanes * width));
    kernel->pack({.rows = rows.data(),
                  .step = step,
                  .count = length,
                  .width = static_cast<int>(width),
                  .columns = columns.data(),
                  .length = length});
    kernel->transpose({.columns = columns.data(),
                       .length = length,
                       .width = static_cast<int>(width),
                       .factor = -1,
                       .panel = panel.data()});
    for (int64_t row = 0; row < kernel->lanes; ++row)
      for (int64_t c = 0; c < width; ++c) {
        const float x = rows[static_cast<size_t>(row * step + c)];
        REQUIRE(columns[place_in_columns(*kernel, length, row, c)] == x);
        REQUIRE(panel[static_cast<size_t>(c * kernel->lanes + row)] == -x);
      }
  }
}

TEST_CASE("rows of bfloat16 become columns of the same numbers") {
  for (const rt::Kernel* kernel : kernels()) {
    INFO(kernel->name);
    const int64_t width = 2 * kernel->tile_columns, length = 9;
    std::vector<uint16_t> halves(static_cast<size_t>(length * width));
    for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i * 97);
    std::vector<float> columns(halves.size());
    kernel->pack({.bf16_rows = halves.data(),
                  .step = width,
                  .count = length,
                  .width = static_cast<int>(width),
                  .columns = columns.data(),
                  .length = length});
    for (int64_t row = 0; row < length; ++row)
      for (int64_t c = 0; c < width; ++c) {
        const uint32_t bits = std::bit_cast<uint32_t>(columns[place_in_columns(*kernel, length, row, c)]);
        REQUIRE(bits == static_cast<uint32_t>(halves[static_cast<size_t>(row * width + c)]) << 16);
      }
  }
}

TEST_CASE("rows go out to the same bits by every kernel, each operation rounded by itself") {
  for (const int64_t head_dim : {1, 15, 32, 50}) {
    std::vector<float> row(64), before(64);
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = 1.0f / static_cast<float>(i + 3);
      before[i] = -7.0f / static_cast<float>(i + 1);
    }
    const volatile float by = 1.1f, keep = 0.3f;  // at run time, so that no compiler computes more exactly
    for (const rt::Kernel* kernel : kernels())
      for (const rt::Unpack how :
           {rt::Unpack::Divide, rt::Unpack::Multiply, rt::Unpack::AddProduct, rt::Unpack::Join}) {
        INFO(kernel->name << ", head size " << head_dim << ", " << static_cast<int>(how));
        std::vector<float> out = before;
        kernel->unpack({.how = how, .by = by, .keep = keep, .row = row.data(), .head_dim = head_dim, .to = out.data()});
        for (size_t i = 0; i < out.size(); ++i) {
          const volatile float product = row[i] * by, quotient = row[i] / by, kept = before[i] * keep;
          const float wanted = static_cast<int64_t>(i) >= head_dim ? before[i]
                               : how == rt::Unpack::Divide         ? quotient
                               : how == rt::Unpack::Multiply       ? product
                               : how == rt::Unpack::AddProduct     ? before[i] + product
                                                                   : kept + quotient;
          REQUIRE(out[i] == wanted);
        }
      }
  }
}

TEST_CASE("the kernel that is taken unless another is named is that of the instructions in use") {
  CHECK(rt::best_kernel().name == rt::name_of(rt::instructions_in_use()));
}

TEST_CASE("the sum of products of two rows is the same bits by every kernel") {
  const std::vector<float> a = numbers(203);
  std::vector<float> b = a;
  for (float& x : b) x = 1 / x;
  const double first = kernels().front()->dot(a.data(), b.data(), 203);
  CHECK(first == Approx(203));
  for (const rt::Kernel* kernel : kernels()) CHECK(kernel->dot(a.data(), b.data(), 203) == first);
}

}  // namespace ranklint::test
