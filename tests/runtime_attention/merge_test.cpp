#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "runtime/attention/merge.h"
#include "tests/runtime_attention/attention_support.h"

namespace ranklint::test {

namespace {

rt::AttentionOutput one_value(float out, double lse) {
  return {.out = rt::Tensor::full({1, 1, 1, 1}, out), .lse = rt::Tensor::full({1, 1, 1}, lse, rt::DType::F64)};
}

constexpr double kNothing = -std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("attention over two halves of the keys joins to attention over all") {
  const Inputs in = random_inputs({1, 10, 40, 2, 2, 8});
  const rt::AttentionOutput whole = rt::attention_forward(in.q, in.k, in.v, rt::dense_plan(10, 40, false));
  const auto half = [&](int64_t begin, int64_t length) {
    return rt::attention_forward(in.q, in.k.narrow(1, begin, length), in.v.narrow(1, begin, length), rt::dense_plan(10, length, false));
  };
  const rt::AttentionOutput joined = half(0, 13);
  rt::merge_into(joined, half(13, 27));
  for (size_t i = 0; i < joined.out.as<float>().size(); ++i) CHECK(std::abs(joined.out.as<float>()[i] - whole.out.as<float>()[i]) < 1e-6);
  for (size_t i = 0; i < joined.lse.as<double>().size(); ++i) CHECK(std::abs(joined.lse.as<double>()[i] - whole.lse.as<double>()[i]) < 1e-6);
}

TEST_CASE("what saw nothing changes no bit, on either side or on both") {
  const rt::AttentionOutput some = one_value(3, 0.5), none = one_value(0, kNothing), both = one_value(0, kNothing);
  rt::merge_into(some, none);
  CHECK((some.out.item() == 3 && some.lse.item() == 0.5));
  rt::merge_into(none, some);
  CHECK((none.out.item() == 3 && none.lse.item() == 0.5));
  rt::merge_into(both, one_value(0, kNothing));
  CHECK((both.out.item() == 0 && both.lse.item() == kNothing));
}

}  // namespace ranklint::test
