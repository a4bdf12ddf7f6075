#include <catch2/catch.hpp>

#include "runtime/base/tensor.h"

namespace ranklint::runtime {

static Tensor numbers(Shape shape) { return Tensor::arange(numel_of(shape)).reshape(std::move(shape)); }

static std::vector<int64_t> lengths(const std::vector<Tensor>& pieces, int64_t dimension = 0) {
  std::vector<int64_t> out;
  for (const Tensor& piece : pieces) out.push_back(piece.size(dimension));
  return out;
}

TEST_CASE("reshape is a view and infers one size") {
  const Tensor a = numbers({2, 6});
  CHECK(a.reshape({-1, 4}).shape() == Shape{3, 4});
  CHECK(a.reshape({3, 4}).shares_memory_with(a));
  CHECK_THROWS_AS(a.reshape({5, -1}), RankError);
  CHECK_THROWS_AS(a.reshape({13}), RankError);
}

TEST_CASE("shapes of as many elements have hashes of their own, however a tensor came by them") {
  const Tensor tensor = Tensor::zeros({4, 6});
  CHECK(tensor.reshape({6, 4}).shape_hash() != tensor.shape_hash());
  CHECK(tensor.reshape({4, 6, 1}).shape_hash() != tensor.shape_hash());
  CHECK(tensor.reshape({24}).reshape({4, -1}).shape_hash() == tensor.shape_hash());
  CHECK(Tensor::zeros({8, 6}).narrow(0, 4, 4).shape_hash() == tensor.shape_hash());
  CHECK(Tensor::zeros({4, 9}).narrow(1, 0, 6).shape_hash() == tensor.shape_hash());
  CHECK(Tensor().shape_hash() == Tensor::zeros({0}).shape_hash());
}

TEST_CASE("narrow along the first dimension is a view and along another a copy") {
  const Tensor a = numbers({3, 4});
  CHECK(a.narrow(0, 1, 2).shares_memory_with(a));
  const Tensor columns = a.narrow(1, 1, 2);
  CHECK_FALSE(columns.shares_memory_with(a));
  CHECK(columns.bit_equal(Tensor::from<float>({1, 2, 5, 6, 9, 10}, {3, 2})));
  CHECK(a.narrow(-1, 4, 0).shape() == Shape{3, 0});
  CHECK_THROWS_AS(a.narrow(0, 2, 2), RankError);
}

TEST_CASE("permute moves each element to its permuted index") {
  const Tensor a = numbers({2, 3, 4});
  const Tensor b = a.permute({2, 0, 1});
  REQUIRE(b.shape() == Shape{4, 2, 3});
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 3; ++j)
      for (int64_t k = 0; k < 4; ++k) CHECK(b.item((k * 2 + i) * 3 + j) == a.item((i * 3 + j) * 4 + k));
  CHECK(a.permute({1, 0, 2}).permute({1, 0, 2}).bit_equal(a));  // with a run at the end
  CHECK(a.permute({0, 1, 2}).bit_equal(a));
  CHECK_THROWS_AS(a.permute({0, 0, 1}), RankError);
  CHECK(Tensor::zeros({}).permute({}).numel() == 1);
}

TEST_CASE("chunk returns only the non-empty pieces, of the rounded-up size") {
  const auto of = [](int64_t n, int64_t count) { return lengths(Tensor::arange(n).chunk(count)); };
  CHECK(of(5, 4) == std::vector<int64_t>{2, 2, 1});
  CHECK(of(3, 4) == std::vector<int64_t>{1, 1, 1});
  CHECK(of(9, 8) == std::vector<int64_t>{2, 2, 2, 2, 1});
  CHECK(of(6, 4) == std::vector<int64_t>{2, 2, 2});
  CHECK(of(0, 3) == std::vector<int64_t>{0, 0, 0});
}

TEST_CASE("tensor_split returns as many pieces as asked for, the first ones longer") {
  CHECK(lengths(Tensor::arange(5).tensor_split(4)) == std::vector<int64_t>{2, 1, 1, 1});
  CHECK(lengths(Tensor::arange(2).tensor_split(3)) == std::vector<int64_t>{1, 1, 0});
}

TEST_CASE("a tensor without elements is rearranged whatever its other sizes are") {
  const int64_t huge = int64_t{1} << 62;
  const Tensor none = Tensor::empty({0, huge, huge});
  CHECK(none.permute({2, 1, 0}).shape() == Shape{huge, huge, 0});
  CHECK(none.narrow(0, 0, 0).shape() == none.shape());
  CHECK(none.narrow(1, huge, 0).shape() == Shape{0, 0, huge});
  CHECK(Tensor::cat({none, none}, 0).shape() == none.shape());
  const Tensor rows = Tensor::empty({huge, 0});
  CHECK_THROWS_AS(Tensor::cat({rows, rows}, 0), RankError);
}

TEST_CASE("cat puts the pieces together again along any dimension") {
  const Tensor a = numbers({5, 4, 3});
  for (int64_t d = 0; d < 3; ++d) {
    CHECK(Tensor::cat(a.chunk(2, d), d).bit_equal(a));
    CHECK(Tensor::cat(a.tensor_split(7, d), d).bit_equal(a));
  }
  CHECK_THROWS_AS(Tensor::cat({}), RankError);
  CHECK_THROWS_AS(Tensor::cat({numbers({2, 2}), numbers({2, 3})}, 0), RankError);
  CHECK_THROWS_AS(Tensor::cat({numbers({2, 2}), numbers({2})}, 0), RankError);
}

}  // namespace ranklint::runtime
