// A tensor-parallel MLP with sequence parallelism against the same on one rank, and both against double.
#include <catch2/catch.hpp>

#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/attention/layout.h"
#include "runtime/attention/tensor_parallel.h"
#include "runtime/group/world.h"
#include "tests/runtime_attention/attention_support.h"
#include "tests/runtime_attention/counting_group.h"

namespace ranklint::test {

namespace {

struct MlpInputs {
  rt::Tensor x, dy, w1, w2;
};

struct MlpResults {
  rt::Tensor y, dx, dw1, dw2;
};

MlpInputs mlp_inputs(const rt::MlpShape& s, uint32_t seed, rt::DType dtype = rt::DType::F32) {
  return {.x = random_tensor({s.tokens, s.hidden}, seed, dtype),
          .dy = random_tensor({s.tokens, s.hidden}, seed + 100, dtype),
          .w1 = random_tensor({s.inner, s.hidden}, seed + 200, dtype),
          .w2 = random_tensor({s.hidden, s.inner}, seed + 300, dtype)};
}

void put(const rt::Tensor& whole, int64_t dimension, int64_t begin, const rt::Tensor& part) {
  if (dimension == 0) return whole.narrow(0, begin, part.size(0)).copy_(part);
  const rt::Tensor from = part.to(rt::DType::F32);
  for (int64_t row = 0; row < whole.size(0); ++row)
    for (int64_t i = 0; i < part.size(1); ++i)
      whole.as<float>()[static_cast<size_t>(row * whole.size(1) + begin + i)] =
          from.as<float>()[static_cast<size_t>(row * part.size(1) + i)];
}

MlpResults run_mlp(int ranks, const rt::MlpShape& s, const MlpInputs& in, std::vector<Counts>& counts) {
  MlpResults whole{.y = rt::Tensor::zeros(in.x.shape()),
                   .dx = rt::Tensor::zeros(in.x.shape()),
                   .dw1 = rt::Tensor::zeros(in.w1.shape()),
                   .dw2 = rt::Tensor::zeros(in.w2.shape())};
  counts.assign(static_cast<size_t>(ranks), {});
  std::mutex lock;
  const rt::WorldReport report = rt::run_world(ranks, [&](rt::RankContext& context) {
    rt::ParallelMlp mlp =
        *rt::ParallelMlp::create(counting(context.world(), counts[static_cast<size_t>(context.rank())]), s);
    const rt::Interval tokens = rt::split_piece(s.tokens, ranks, context.rank()),
                       part = rt::split_piece(s.inner, ranks, context.rank());
    const rt::Tensor w1 = in.w1.narrow(0, part.begin, part.length()), w2 = in.w2.narrow(1, part.begin, part.length());
    const rt::ParallelMlp::Forward f = mlp.forward(in.x.narrow(0, tokens.begin, tokens.length()), w1, w2);
    const rt::ParallelMlp::Gradients b = mlp.backward(in.dy.narrow(0, tokens.begin, tokens.length()), f.saved, w1, w2);
    const std::lock_guard guard(lock);
    put(whole.y, 0, tokens.begin, f.y_shard);
    put(whole.dx, 0, tokens.begin, b.dx_shard);
    put(whole.dw1, 0, part.begin, b.dw1);
    put(whole.dw2, 1, part.begin, b.dw2);
  });
  INFO(report.verdict.to_text() << (report.errors[0] ? report.errors[0]->message : ""));
  REQUIRE(report.ok());
  return whole;
}

double phi(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// c[i][j] = sum over k of a(i, k) * b(k, j), all in double.
template <typename A, typename B>
rt::Tensor product(int64_t m, int64_t k, int64_t n, A&& a, B&& b) {
  const rt::Tensor c = rt::Tensor::zeros({m, n}, rt::DType::F64);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t x = 0; x < k; ++x) c.as<double>()[static_cast<size_t>(i * n + j)] += a(i, x) * b(x, j);
  return c;
}

MlpResults mlp_in_double(const rt::MlpShape& s, const MlpInputs& in) {
  const auto element = [](const rt::Tensor& t) {
    return [t](int64_t i, int64_t j) { return t.item(i * t.size(1) + j); };
  };
  const auto turned = [](auto f) { return [f](int64_t i, int64_t j) { return f(j, i); }; };
  const auto x = element(in.x), dy = element(in.dy), w1 = element(in.w1), w2 = element(in.w2);
  const auto before = element(product(s.tokens, s.hidden, s.inner, x, turned(w1)));
  const auto after = [&](int64_t i, int64_t j) { return before(i, j) * phi(before(i, j)); };
  const auto d_after = element(product(s.tokens, s.hidden, s.inner, dy, w2));
  const auto d_before = [&](int64_t i, int64_t j) {
    const double at = before(i, j);
    return d_after(i, j) * (phi(at) + at * std::exp(-at * at / 2) / std::sqrt(2 * std::acos(-1.0)));
  };
  return {.y = product(s.tokens, s.inner, s.hidden, after, turned(w2)),
          .dx = product(s.tokens, s.inner, s.hidden, d_before, w1),
          .dw1 = product(s.inner, s.tokens, s.hidden, turned(d_before), x),
          .dw2 = product(s.hidden, s.tokens, s.inner, turned(dy), after)};
}

}  // namespace

TEST_CASE("a spread MLP is as accurate as one on one rank, also when tokens do not divide") {
  const int ranks = GENERATE(2, 3, 4, 6);
  const int64_t tokens = GENERATE(24, 17, 2);
  const rt::MlpShape shape{.tokens = tokens, .hidden = 10, .inner = 12};
  AccuracyRule rule;
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    const MlpInputs in = mlp_inputs(shape, seed);
    std::vector<Counts> counts;
    const MlpResults spread = run_mlp(ranks, shape, in, counts), alone = run_mlp(1, shape, in, counts),
                     exact = mlp_in_double(shape, in);
    rule.add("y", spread.y, alone.y, exact.y);
    rule.add("dx", spread.dx, alone.dx, exact.dx);
    rule.add("dw1", spread.dw1, alone.dw1, exact.dw1);
    rule.add("dw2", spread.dw2, alone.dw2, exact.dw2);
  }
  rule.check();
}

TEST_CASE("a spread MLP of bfloat16 sums over the ranks in f32") {
  const rt::MlpShape shape{.tokens = 17, .hidden = 10, .inner = 12};
  AccuracyRule rule;
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    const MlpInputs in = mlp_inputs(shape, seed, rt::DType::BF16);
    std::vector<Counts> counts;
    const MlpResults spread = run_mlp(4, shape, in, counts), alone = run_mlp(1, shape, in, counts),
                     exact = mlp_in_double(shape, in);
    rule.add("y", spread.y, alone.y, exact.y);
    rule.add("dx", spread.dx, alone.dx, exact.dx);
    rule.add("dw1", spread.dw1, alone.dw1, exact.dw1);
    rule.add("dw2", spread.dw2, alone.dw2, exact.dw2);
    CHECK(spread.y.bit_equal(spread.y.to(rt::DType::BF16).to(rt::DType::F32)));
  }
  rule.check();
}

// What the other tests measure the gradients by.
TEST_CASE("an MLP's gradients in double are the slopes of its forward pass") {
  const rt::MlpShape shape{.tokens = 3, .hidden = 4, .inner = 5};
  MlpInputs in = mlp_inputs(shape, 1, rt::DType::F64);
  const MlpResults exact = mlp_in_double(shape, in);
  const auto loss = [&] {
    const rt::Tensor y = mlp_in_double(shape, in).y;
    double sum = 0;
    for (int64_t i = 0; i < y.numel(); ++i) sum += y.item(i) * in.dy.item(i);
    return sum;
  };
  const auto check = [&](const rt::Tensor& at, const rt::Tensor& gradient) {
    constexpr double kStep = 1e-5;
    for (int64_t i = 0; i < at.numel(); ++i) {
      double& x = at.as<double>()[static_cast<size_t>(i)];
      const double kept = x;
      x = kept + kStep;
      const double above = loss();
      x = kept - kStep;
      CHECK(gradient.item(i) == Approx((above - loss()) / (2 * kStep)).epsilon(1e-6).margin(1e-7));
      x = kept;
    }
  };
  check(in.x, exact.dx);
  check(in.w1, exact.dw1);
  check(in.w2, exact.dw2);
}

TEST_CASE("an MLP sends 2 shards' worth forward and 3 backward, in five collectives") {
  const int64_t T = 4, tokens = 16, hidden = 6;
  const rt::MlpShape shape{.tokens = tokens, .hidden = hidden, .inner = 8};
  std::vector<Counts> counts;
  run_mlp(T, shape, mlp_inputs(shape, 1), counts);
  for (const Counts& c : counts) {
    CHECK(c.all_gathers == 1 + 3);  // the first: agreeing
    CHECK(c.reduce_scatters == 2);
    CHECK(c.sent == 5 * (T - 1) * tokens * hidden / T + (T - 1) * 3);
  }
}

TEST_CASE("inner features that do not divide are one error on every rank, before anything is sent") {
  std::vector<std::string> errors(3);
  const rt::WorldReport report = rt::run_world(3, [&](rt::RankContext& context) {
    const auto made = rt::ParallelMlp::create(context.world(), {.tokens = 6, .hidden = 4, .inner = 8});
    errors[static_cast<size_t>(context.rank())] = made ? "" : made.error().message;
  });
  CHECK(report.ok());
  CHECK(errors == std::vector<std::string>(3, "8 inner features do not divide over 3 ranks"));
}

TEST_CASE("an MLP of no group or of less than nothing is refused") {
  const auto refused = [](const rt::ProcessGroup& group, const rt::MlpShape& shape) {
    return rt::ParallelMlp::create(group, shape).error().message;
  };
  CHECK(refused({}, {.tokens = 6, .hidden = 4, .inner = 8}) == "this rank is not a member of the group of the MLP");
  const rt::WorldReport report = rt::run_world(1, [&](rt::RankContext& context) {
    CHECK(refused(context.world(), {.tokens = 6, .hidden = -4, .inner = 8}) == "hidden is -4");
  });
  CHECK(report.ok());
}

TEST_CASE("gelu's gradient is the slope of gelu") {
  const rt::Tensor x = rt::Tensor::from<float>({-3, -1, -0.25F, 0, 0.5F, 2}, {6}), step = rt::Tensor::full({6}, 1);
  const rt::Tensor slope = rt::gelu_backward(step, x);
  for (size_t i = 0; i < 6; ++i) {
    const double at = x.as<float>()[i], h = 1e-5;
    CHECK(slope.as<float>()[i] == Approx(((at + h) * phi(at + h) - (at - h) * phi(at - h)) / (2 * h)).margin(1e-7));
    CHECK(rt::gelu(x).as<float>()[i] == Approx(at * phi(at)));
  }
}

TEST_CASE("a group without members and gradients of another shape are refused") {
  rt::ProcessGroup nobody;
  const rt::Tensor x = rt::Tensor::zeros({4, 2});
  CHECK_THROWS_AS(rt::gather_sequence(nobody, x, 4), rt::RankError);
  CHECK_THROWS_AS(rt::reduce_scatter_sequence(nobody, x), rt::RankError);
  CHECK_THROWS_AS(rt::gelu_backward(rt::Tensor::zeros({1}), x), rt::RankError);
}

}  // namespace ranklint::test
