#include <catch2/catch.hpp>

#include <utility>

#include "runtime/attention/matmul.h"
#include "tests/runtime_attention/attention_support.h"

namespace ranklint::test {

namespace {

float at(const rt::Tensor& t, rt::MatrixForm form, int64_t row, int64_t column) {
  if (form == rt::MatrixForm::Transposed) std::swap(row, column);
  return t.as<float>()[static_cast<size_t>(row * t.size(1) + column)];
}

rt::Tensor by_definition(const rt::Tensor& a, rt::MatrixForm a_form, const rt::Tensor& b, rt::MatrixForm b_form,
                         int64_t m, int64_t k, int64_t n) {
  const rt::Tensor c = rt::Tensor::zeros({m, n});
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t x = 0; x < k; ++x)
        c.as<float>()[static_cast<size_t>(i * n + j)] += at(a, a_form, i, x) * at(b, b_form, x, j);
  return c;
}

}  // namespace

TEST_CASE("a product of whole numbers is exact, whatever the shape and the form") {
  const auto [m, k, n] =
      GENERATE(table<int64_t, int64_t, int64_t>({{1, 1, 1}, {5, 0, 3}, {7, 13, 17}, {400, 10, 30}, {20, 400, 540}}));
  const rt::MatrixForm a_form = GENERATE(rt::MatrixForm::AsIs, rt::MatrixForm::Transposed);
  const rt::MatrixForm b_form = GENERATE(rt::MatrixForm::AsIs, rt::MatrixForm::Transposed);
  const rt::Tensor a = small_integers(a_form == rt::MatrixForm::AsIs ? rt::Shape{m, k} : rt::Shape{k, m}, 1);
  const rt::Tensor b = small_integers(b_form == rt::MatrixForm::AsIs ? rt::Shape{k, n} : rt::Shape{n, k}, 2);
  const rt::Tensor want = by_definition(a, a_form, b, b_form, m, k, n);
  for (const rt::Kernel* kernel : kernels())
    for (int threads : {1, 3})
      CHECK(rt::matmul(a, a_form, b, b_form, {.threads = threads, .kernel = kernel}).bit_equal(want));
}

TEST_CASE("a product over unequal sizes is refused") {
  const rt::Tensor wide = rt::Tensor::zeros({2, 3});
  CHECK_THROWS_WITH(rt::matmul(wide, rt::MatrixForm::AsIs, wide, rt::MatrixForm::AsIs),
                    "a product over 3 and 2 elements");
}

}  // namespace ranklint::test
