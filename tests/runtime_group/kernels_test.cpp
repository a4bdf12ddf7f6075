#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/base/tensor.h"
#include "runtime/group/collectives/kernels.h"

namespace ranklint::runtime::test {

TEST_CASE("a streaming copy writes every byte and none beside, at every alignment") {
  std::vector<std::byte> source(3000);
  for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 7 + 1);
  for (size_t offset = 0; offset < 70; ++offset)
    for (const size_t size : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{200}, size_t{2500}}) {
      std::vector<std::byte> target(3200, std::byte{0});
      copy_bytes(target.data() + offset, source.data() + offset / 2, size, {.streaming = true});
      std::vector<std::byte> expected(3200, std::byte{0});
      std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(offset / 2), size,
                  expected.begin() + static_cast<std::ptrdiff_t>(offset));
      REQUIRE(target == expected);
    }
}

TEST_CASE("a large copy writes every byte and none beside, whether both sides begin a line or not, and either way") {
  constexpr size_t kSize = (size_t{256} << 10) + 5;
  alignas(64) static std::array<std::byte, kSize + 200> source, target;
  for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 7 + i / 251);
  for (const Passage passage : {Passage{}, Passage{.backward = true}, Passage{.streaming = true}, Passage{true, true}})
    for (const size_t to : {size_t{64}, size_t{65}})
      for (const size_t from : {size_t{0}, size_t{3}}) {
        target.fill(std::byte{0});
        copy_bytes(target.data() + to, source.data() + from, kSize, passage);
        CHECK(std::equal(target.begin() + to, target.begin() + to + kSize, source.begin() + from));
        CHECK(std::all_of(target.begin(), target.begin() + to, [](std::byte b) { return b == std::byte{0}; }));
        CHECK(std::all_of(target.begin() + to + kSize, target.end(), [](std::byte b) { return b == std::byte{0}; }));
      }
}

TEST_CASE("a thread passes through a large place forward and backward in turn") {
  static std::byte place;
  constexpr size_t kLarge = size_t{1} << 20;
  const Passage first = passage_through(&place, kLarge);
  const Passage second = passage_through(&place, kLarge);
  CHECK(first != second);
  CHECK(first == passage_through(&place, kLarge));
  CHECK(second == passage_through(&place, kLarge));
  for (int i = 0; i < 2; ++i) {
    CHECK(passage_through(&place, 1000) == Passage{});
    CHECK(passage_through(&place, 2 * kLarge).streaming == streams(2 * kLarge));
  }
}

TEST_CASE("minimum and maximum keep a NaN of either side") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> a = {nan, 1, 2};
  const std::vector<float> b = {1, nan, 3};
  for (const ReduceOp op : {ReduceOp::Min, ReduceOp::Max}) {
    std::vector<float> out(3);
    std::byte* const target = reinterpret_cast<std::byte*>(out.data());
    const std::vector<const std::byte*> inputs = {reinterpret_cast<const std::byte*>(a.data()),
                                                  reinterpret_cast<const std::byte*>(b.data())};
    reduce_elements({&target, 1}, inputs, 3, DType::F32, op);
    CHECK(std::isnan(out[0]));
    CHECK(std::isnan(out[1]));
    CHECK(out[2] == (op == ReduceOp::Min ? 2 : 3));
  }
}

TEST_CASE("integers wrap around") {
  const int32_t most = std::numeric_limits<int32_t>::max();
  int32_t out = 0;
  const int32_t one = 1;
  std::byte* const target = reinterpret_cast<std::byte*>(&out);
  const std::vector<const std::byte*> inputs = {reinterpret_cast<const std::byte*>(&most),
                                                reinterpret_cast<const std::byte*>(&one)};
  reduce_elements({&target, 1}, inputs, 1, DType::I32, ReduceOp::Sum);
  CHECK(out == std::numeric_limits<int32_t>::min());
}

TEST_CASE("two inputs give the same bits into one output, into two, and in place") {
  for (const DType dtype : {DType::F32, DType::F64, DType::BF16, DType::F16, DType::I32, DType::I64, DType::U8})
    for (const ReduceOp op : {ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Min, ReduceOp::Max}) {
      constexpr int64_t kCount = 77;  // no multiple of a vector
      const Tensor a = Tensor::arange(kCount).to(dtype), b = Tensor::full({kCount}, 3, dtype);
      const Tensor apart = Tensor::empty({kCount}, dtype), first = a.clone(), second = b.clone();
      const std::vector<const std::byte*> inputs = {a.data(), b.data()}, changed = {first.data(), second.data()};
      const std::vector<std::byte*> one = {apart.data()}, both = {first.data(), second.data()};
      reduce_elements(one, inputs, kCount, dtype, op);
      reduce_elements(both, changed, kCount, dtype, op);
      CAPTURE(name_of(dtype), name_of(op));
      CHECK(apart.item(76) == (op == ReduceOp::Sum   ? 79
                               : op == ReduceOp::Max ? 76
                               : op == ReduceOp::Min ? 3
                                                     : apart.item(76)));
      CHECK(first.bit_equal(apart));
      CHECK(second.bit_equal(apart));
    }
}

TEST_CASE("a reduction from the end gives the bits of one from the front") {
  for (const DType dtype : {DType::F32, DType::F64, DType::BF16, DType::U8})
    for (const size_t members : {size_t{2}, size_t{3}})
      for (const int64_t count :
           {int64_t{1}, int64_t{2048}, int64_t{9999}, int64_t{70001}}) {  // less than a chunk, some, and a part
        std::vector<Tensor> given;
        for (size_t i = 0; i < members; ++i) {
          const Tensor small = Tensor::zeros({count});  // no two chunks are alike, and no two members
          for (int64_t at = 0; at < count; ++at)
            small.as<float>()[static_cast<size_t>(at)] =
                static_cast<float>((at * (7 + static_cast<int64_t>(i)) + at / 251) % 83);
          given.push_back(small.to(dtype));
        }
        const Tensor expected = Tensor::empty({count}, dtype), apart = Tensor::empty({count}, dtype);
        std::vector<const std::byte*> inputs;
        for (const Tensor& each : given) inputs.push_back(each.data());
        std::byte* const target = expected.data();
        reduce_elements({&target, 1}, inputs, static_cast<size_t>(count), dtype, ReduceOp::Sum);
        const std::vector<std::byte*> targets = {apart.data(), given[0].data()};
        const Passage passage{.backward = true, .streaming = count > 20000};
        reduce_elements(targets, inputs, static_cast<size_t>(count), dtype, ReduceOp::Sum, passage);
        CAPTURE(name_of(dtype), members, count);
        CHECK(apart.bit_equal(expected));
        CHECK(given[0].bit_equal(expected));
      }
}

}  // namespace ranklint::runtime::test
