// The reference's own gradients against differences of its forward pass.
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/runtime_attention/attention_support.h"

namespace ranklint::test {

namespace {

// A scalar whose gradient with respect to `out` is `dout`.
double loss(const Inputs& in, const rt::Sees& sees) {
  const rt::Tensor out = rt::reference_forward(in.q, in.k, in.v, sees).out;
  double sum = 0;
  for (size_t i = 0; i < out.as<double>().size(); ++i) sum += out.as<double>()[i] * in.dout.as<double>()[i];
  return sum;
}

void check_differences(const Inputs& in, const rt::Tensor& input, const rt::Tensor& gradient, const rt::Sees& sees) {
  constexpr double kStep = 1e-5;
  for (size_t i = 0; i < input.as<double>().size(); ++i) {
    double& x = input.as<double>()[i];
    const double before = x;
    x = before + kStep;
    const double above = loss(in, sees);
    x = before - kStep;
    const double below = loss(in, sees);
    x = before;
    CHECK(std::abs((above - below) / (2 * kStep) - gradient.as<double>()[i]) < 1e-8);
  }
}

}  // namespace

TEST_CASE("the reference's gradients are the slopes of its forward pass") {
  const Inputs in = random_inputs({1, 4, 5, 2, 1, 3}, 1, rt::DType::F64);
  const rt::Sees sees = [](int64_t query, int64_t key) { return key <= query; };
  const rt::ReferenceGradients g = rt::reference_backward(in.dout, in.q, in.k, in.v, sees);
  check_differences(in, in.q, g.dq, sees);
  check_differences(in, in.k, g.dk, sees);
  check_differences(in, in.v, g.dv, sees);
}

TEST_CASE("equal scores average the values") {
  const rt::Tensor q = rt::Tensor::zeros({1, 1, 1, 1}), k = rt::Tensor::zeros({1, 2, 1, 1}),
                   v = rt::Tensor::from<float>({1, 4}, {1, 2, 1, 1});
  const rt::ReferenceOutput f = rt::reference_forward(q, k, v, [](int64_t, int64_t) { return true; });
  CHECK(f.out.item() == Approx(2.5));
  CHECK(f.lse.item() == Approx(std::log(2.0)));
}

TEST_CASE("the reference refuses shapes that do not fit together") {
  const rt::Sees all = [](int64_t, int64_t) { return true; };
  const rt::Tensor q = rt::Tensor::zeros({1, 4, 2, 8}), narrow = rt::Tensor::zeros({1, 4, 2, 3}),
                   three = rt::Tensor::zeros({1, 4, 3, 8});
  CHECK_THROWS_AS(rt::reference_forward(q, narrow, narrow, all), rt::RankError);
  CHECK_THROWS_AS(rt::reference_forward(q, three, three, all), rt::RankError);
  CHECK_THROWS_AS(rt::reference_forward(q, q, narrow, all), rt::RankError);
  CHECK_THROWS_AS(rt::reference_forward(rt::Tensor(), q, q, all), rt::RankError);
  CHECK_THROWS_AS(rt::reference_backward(narrow, q, q, q, all), rt::RankError);
}

}  // namespace ranklint::test
