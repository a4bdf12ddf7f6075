#include "tests/runtime_attention/attention_support.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "runtime/base/instructions.h"

namespace ranklint::test {

namespace {

constexpr double kEps = 1.1920928955078125e-07;

// One (batch, query, head) of the eager computation.
struct EagerRow {
  const float *q, *dout;
  float *out, *dq;
  double* lse;
  std::vector<int64_t> keys;  // offsets of the visible keys' elements
};

float dot(const float* a, const float* b, int64_t count) {
  float sum = 0;
  for (int64_t c = 0; c < count; ++c) sum += a[c] * b[c];
  return sum;
}

void add_scaled(float* to, float factor, const float* from, int64_t count) {
  for (int64_t c = 0; c < count; ++c) to[c] += factor * from[c];
}

void eager_row(const EagerRow& row, const float* k, const float* v, float* dk, float* dv, int64_t head_dim) {
  if (row.keys.empty()) return;
  const float scale = 1.0f / std::sqrt(static_cast<float>(head_dim));
  std::vector<float> p;
  for (int64_t key : row.keys) p.push_back(scale * dot(row.q, k + key, head_dim));
  const float top = *std::max_element(p.begin(), p.end());
  float sum = 0, mean = 0;
  for (float& x : p) sum += x = std::exp(x - top);
  *row.lse = top + std::log(sum);
  for (size_t j = 0; j < p.size(); ++j) add_scaled(row.out, p[j] /= sum, v + row.keys[j], head_dim);
  std::vector<float> dp;
  for (int64_t key : row.keys) dp.push_back(dot(row.dout, v + key, head_dim));
  for (size_t j = 0; j < p.size(); ++j) mean += p[j] * dp[j];
  for (size_t j = 0; j < p.size(); ++j) {
    const float ds = scale * p[j] * (dp[j] - mean);
    add_scaled(dv + row.keys[j], p[j], row.dout, head_dim);
    add_scaled(row.dq, ds, k + row.keys[j], head_dim);
    add_scaled(dk + row.keys[j], ds, row.q, head_dim);
  }
}

template <typename Draw>
rt::Tensor drawn(rt::Shape shape, Draw&& draw) {
  rt::Tensor tensor = rt::Tensor::empty(std::move(shape));
  for (float& x : tensor.as<float>()) x = draw();
  return tensor;
}

}  // namespace

rt::Tensor random_tensor(rt::Shape shape, uint32_t seed, rt::DType dtype) {
  std::mt19937 bits(seed);
  std::normal_distribution<float> normal;
  return drawn(std::move(shape), [&] { return normal(bits); }).to(dtype);
}

rt::Tensor small_integers(rt::Shape shape, uint32_t seed) {
  std::mt19937 bits(seed);
  return drawn(std::move(shape), [&] { return static_cast<float>(static_cast<int>(bits() % 7) - 3); });
}

Inputs random_inputs(const Sizes& s, uint32_t seed, rt::DType dtype) {
  return {.q = random_tensor({s.batch, s.q_len, s.heads, s.head_dim}, seed, dtype),
          .k = random_tensor({s.batch, s.k_len, s.kv_heads, s.head_dim}, seed + 1000, dtype),
          .v = random_tensor({s.batch, s.k_len, s.kv_heads, s.head_dim}, seed + 2000, dtype),
          .dout = random_tensor({s.batch, s.q_len, s.heads, s.head_dim}, seed + 3000, dtype)};
}

Results run_reference(const Inputs& in, const rt::Sees& sees) {
  const rt::ReferenceOutput f = rt::reference_forward(in.q, in.k, in.v, sees);
  const rt::ReferenceGradients b = rt::reference_backward(in.dout, in.q, in.k, in.v, sees);
  return {.out = f.out, .lse = f.lse, .dq = b.dq, .dk = b.dk, .dv = b.dv};
}

Results run_kernel(const Inputs& in, const rt::AttentionPlan& plan, const rt::AttentionOptions& options) {
  const rt::AttentionOutput f = rt::attention_forward(in.q, in.k, in.v, plan, options);
  const rt::AttentionGradients b = rt::attention_backward(in.dout, in.q, in.k, in.v, f.out, f.lse, plan, options);
  return {.out = f.out, .lse = f.lse, .dq = b.dq, .dk = b.dk, .dv = b.dv};
}

Results run_eager(const Inputs& in, const rt::Sees& sees) {
  const rt::Tensor q = in.q.to(rt::DType::F32), k = in.k.to(rt::DType::F32), v = in.v.to(rt::DType::F32),
                   dout = in.dout.to(rt::DType::F32);
  const int64_t batch = q.size(0), q_len = q.size(1), heads = q.size(2), head_dim = q.size(3), k_len = k.size(1),
                kv_heads = k.size(2);
  const Results r{
      .out = rt::Tensor::zeros(q.shape()),
      .lse = rt::Tensor::full({batch, heads, q_len}, -std::numeric_limits<double>::infinity(), rt::DType::F64),
      .dq = rt::Tensor::zeros(q.shape()),
      .dk = rt::Tensor::zeros(k.shape()),
      .dv = rt::Tensor::zeros(v.shape())};
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t i = 0; i < q_len; ++i) {
        const int64_t at = ((b * q_len + i) * heads + h) * head_dim;
        EagerRow row{.q = q.as<float>().data() + at,
                     .dout = dout.as<float>().data() + at,
                     .out = r.out.as<float>().data() + at,
                     .dq = r.dq.as<float>().data() + at,
                     .lse = r.lse.as<double>().data() + (b * heads + h) * q_len + i,
                     .keys = {}};
        for (int64_t j = 0; j < k_len; ++j)
          if (sees(i, j)) row.keys.push_back(((b * k_len + j) * kv_heads + h * kv_heads / heads) * head_dim);
        eager_row(row, k.as<float>().data(), v.as<float>().data(), r.dk.as<float>().data(), r.dv.as<float>().data(),
                  head_dim);
      }
  return r;
}

void AccuracyRule::add_errors(Errors& errors, const rt::Tensor& result, const rt::Tensor& reference) {
  const rt::Tensor wide = result.to(rt::DType::F64);
  const auto got = wide.as<double>(), want = reference.as<double>();
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = got[i] == want[i] ? 0 : std::abs(got[i] - want[i]);
    errors.max = error <= errors.max ? errors.max : error;  // a NaN stays
    errors.sum += error;
  }
}

void AccuracyRule::add(const std::string& name, const rt::Tensor& result, const rt::Tensor& measure,
                       const rt::Tensor& reference) {
  Line& at = lines_[name];
  add_errors(at.error, result, reference);
  add_errors(at.bound, measure, reference);
  at.count += reference.numel();
  for (double value : reference.as<double>()) {
    if (std::isinf(value)) continue;
    at.size.max = std::max(at.size.max, std::abs(value));
    at.size.sum += std::abs(value);
  }
}

void AccuracyRule::add(const Results& results, const Results& measure, const Results& reference) {
  add("out", results.out, measure.out, reference.out);
  add("lse", results.lse, measure.lse, reference.lse);
  add("dq", results.dq, measure.dq, reference.dq);
  add("dk", results.dk, measure.dk, reference.dk);
  add("dv", results.dv, measure.dv, reference.dv);
}

void AccuracyRule::check() const {
  for (const auto& [name, line] : lines_) {
    INFO(name << ", " << line.count << " values, largest " << line.size.max);
    CHECK(line.error.max <= 2 * line.bound.max + 2 * kEps * line.size.max);
    CHECK(line.error.sum <= 2 * line.bound.sum + 2 * kEps * line.size.sum);
  }
}

void check_bit_equal(const Results& a, const Results& b) {
  CHECK(a.out.bit_equal(b.out));
  CHECK(a.lse.bit_equal(b.lse));
  CHECK(a.dq.bit_equal(b.dq));
  CHECK(a.dk.bit_equal(b.dk));
  CHECK(a.dv.bit_equal(b.dv));
}

std::vector<const rt::Kernel*> kernels() {
  if (rt::instructions_in_use() != rt::widest_instructions()) return {&rt::best_kernel()};
  std::vector<const rt::Kernel*> all = {&rt::portable_kernel(), rt::avx2_kernel(), rt::avx512_kernel()};
  std::erase(all, nullptr);
  return all;
}

}  // namespace ranklint::test
