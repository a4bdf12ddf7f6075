#include "runtime/base/tensor.h"

#include <catch2/catch.hpp>

#include <limits>

namespace ranklint::runtime {

template <typename F>
static Error error_of(F&& f) {
  try {
    f();
  } catch (const RankError& error) {
    return error.error();
  }
  return {.kind = ErrorKind::InvalidArgument, .message = "no error"};
}

TEST_CASE("a tensor without a shape is empty") {
  const Tensor none;
  CHECK(none.shape() == Shape{0});
  CHECK(none.numel() == 0);
  CHECK(none.bit_equal(Tensor::zeros({0})));
  CHECK(Tensor::zeros({}).numel() == 1);
}

TEST_CASE("elements are aligned to a cache line") {
  for (int64_t n : {1, 3, 1000}) CHECK(reinterpret_cast<uintptr_t>(Tensor::empty({n}, DType::U8).data()) % 64 == 0);
}

TEST_CASE("a copy of a tensor shares its elements and a clone does not") {
  const Tensor a = Tensor::arange(4);
  const Tensor same = a;
  const Tensor other = a.clone();
  same.fill_(7);
  CHECK(a.item(3) == 7);
  CHECK(other.item(3) == 3);
  CHECK(a.shares_memory_with(same));
  CHECK_FALSE(a.shares_memory_with(other));
}

TEST_CASE("elements are read only as what they are") {
  const Tensor a = Tensor::arange(2, DType::I32);
  CHECK(a.as<int32_t>()[1] == 1);
  CHECK(error_of([&] { (void)a.as<float>(); }).message == "a int32 tensor read as float32");
}

TEST_CASE("copy_ converts the element type and refuses another shape") {
  const Tensor halves = Tensor::empty({3}, DType::BF16);
  halves.copy_(Tensor::from<double>({1.5, -2, 1e39}, {3}));
  CHECK(halves.item(0) == 1.5);
  CHECK(halves.item(1) == -2);
  CHECK(halves.item(2) == std::numeric_limits<double>::infinity());
  CHECK(error_of([&] { halves.copy_(Tensor::arange(2)); }).message == "copy_ of shape [2] into shape [3]");
}

TEST_CASE("a number beyond an integer's range becomes its nearest end and NaN becomes zero") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor wide = Tensor::from<double>({1e10, -1e10, nan, 2.9}, {4});
  const Tensor narrow = wide.to(DType::I32);
  CHECK(narrow.as<int32_t>()[0] == std::numeric_limits<int32_t>::max());
  CHECK(narrow.as<int32_t>()[1] == std::numeric_limits<int32_t>::min());
  CHECK(narrow.as<int32_t>()[2] == 0);
  CHECK(narrow.as<int32_t>()[3] == 2);
  CHECK(Tensor::from<float>({0x1p63F}, {1}).to(DType::I64).as<int64_t>()[0] == std::numeric_limits<int64_t>::max());
  CHECK(Tensor::from<float>({300, -3}, {2}).to(DType::U8).bit_equal(Tensor::from<uint8_t>({255, 0}, {2})));
}

TEST_CASE("integers of 64 bits pass from one to the other without a detour over double") {
  const int64_t odd = (int64_t{1} << 62) + 1;
  CHECK(Tensor::from<int64_t>({odd}, {1}).clone().as<int64_t>()[0] == odd);
}

TEST_CASE("fill_ sets every element of any type and length") {
  for (const DType dtype : {DType::F32, DType::F64, DType::BF16, DType::F16, DType::I32, DType::I64, DType::U8})
    for (int64_t n = 0; n <= 9; ++n) {
      const Tensor filled = Tensor::full({n}, 3, dtype);
      for (int64_t i = 0; i < n; ++i) CHECK(filled.item(i) == 3);
    }
}

TEST_CASE("going to another device copies and staying does not") {
  const Tensor host = Tensor::arange(3);
  const Tensor there = host.to(Device::Accelerator);
  CHECK(there.device() == Device::Accelerator);
  CHECK(there.bit_equal(host));
  CHECK_FALSE(there.shares_memory_with(host));
  CHECK(host.to(Device::Host).shares_memory_with(host));
}

TEST_CASE("a shape that can not be is an error and no allocation") {
  CHECK(error_of([] { Tensor::empty({2, -1}); }).message == "a shape has no negative size: [2, -1]");
  const int64_t huge = int64_t{1} << 40;
  CHECK(error_of([&] { Tensor::empty({huge, huge}); }).message.starts_with("more elements"));
  CHECK(Tensor::empty({huge, huge, 0}).numel() == 0);
}

TEST_CASE("what the system has no memory for is an error that says how much") {
  const int64_t huge = int64_t{1} << 62;
  CHECK(error_of([&] { Tensor::arange(huge); }).kind == ErrorKind::InvalidArgument);
#if !defined(RANKLINT_SANITIZED)
  CHECK(error_of([&] { Tensor::empty({huge / 64}); }).message ==
        "out of memory: the system has no 288230376151711744 bytes");
#endif
}

TEST_CASE("elements can not be borrowed from nowhere") {
  CHECK(error_of([] { Tensor::borrow(nullptr, nullptr, {2}, DType::F32); }).kind == ErrorKind::InvalidArgument);
  CHECK(Tensor::borrow(nullptr, nullptr, {0, 2}, DType::F32).numel() == 0);
}

TEST_CASE("borrowed elements stay alive through their owner and must be aligned") {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  auto* bytes = reinterpret_cast<std::byte*>(owner->data());
  const std::weak_ptr<std::vector<float>> watch = owner;
  {
    const Tensor row = Tensor::borrow(owner, bytes, {2, 2}, DType::F32).narrow(0, 1, 1);
    owner.reset();
    CHECK(row.item(1) == 4);
  }
  CHECK(watch.expired());
  CHECK(error_of([&] { Tensor::borrow(nullptr, bytes + 1, {1}, DType::F32); }).message ==
        "borrowed elements are not aligned for float32");
}

}  // namespace ranklint::runtime
