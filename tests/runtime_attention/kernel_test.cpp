// The blocked kernels against the formulas, for every instruction set that the processor at hand has.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/runtime_attention/attention_support.h"

namespace ranklint::test {

namespace {

rt::Sees all_or_causal(const Sizes& sizes, bool causal) {
  return [=](int64_t query, int64_t key) { return !causal || key <= query + sizes.k_len - sizes.q_len; };
}

void check_kernels(const Sizes& sizes, const rt::AttentionPlan& plan, const rt::Sees& sees,
                   rt::DType dtype = rt::DType::F32) {
  std::vector<AccuracyRule> rules(kernels().size());
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    const Inputs inputs = random_inputs(sizes, seed, dtype);
    const Results eager = run_eager(inputs, sees), reference = run_reference(inputs, sees);
    for (size_t i = 0; i < rules.size(); ++i)
      rules[i].add(run_kernel(inputs, plan, {.threads = 2, .kernel = kernels()[i]}), eager, reference);
  }
  for (size_t i = 0; i < rules.size(); ++i) {
    INFO(kernels()[i]->name);
    rules[i].check();
  }
}

}  // namespace

TEST_CASE("attention is as accurate as f32 allows, whatever the shape") {
  const Sizes sizes = GENERATE(Sizes{1, 1, 1, 1, 1, 1}, Sizes{2, 7, 7, 3, 1, 5}, Sizes{1, 200, 300, 2, 1, 64},
                               Sizes{1, 130, 50, 2, 2, 20}, Sizes{1, 1, 900, 1, 1, 128}, Sizes{1, 33, 193, 6, 2, 80},
                               Sizes{1, 60, 1700, 1, 1, 16});
  const bool causal = GENERATE(false, true);
  INFO(sizes.q_len << " queries, " << sizes.k_len << " keys, head size " << sizes.head_dim
                   << (causal ? ", causal" : ""));
  check_kernels(sizes, rt::dense_plan(sizes.q_len, sizes.k_len, causal), all_or_causal(sizes, causal));
}

TEST_CASE("sixteen-bit inputs are read exactly and computed with in f32") {
  const rt::DType dtype = GENERATE(rt::DType::BF16, rt::DType::F16);
  const Sizes sizes{1, 70, 90, 2, 1, 70};
  check_kernels(sizes, rt::dense_plan(70, 90, true), all_or_causal(sizes, true), dtype);
}

TEST_CASE("documents packed into one row do not see each other, also those of length 0 and 1") {
  const std::vector<int64_t> starts = {0, 0, 1, 40, 40, 97, 98, 98};
  const bool causal = GENERATE(false, true);
  const auto document_of = [&](int64_t position) { return std::upper_bound(starts.begin(), starts.end(), position); };
  const rt::Sees sees = [&](int64_t query, int64_t key) {
    return document_of(query) == document_of(key) && (!causal || key <= query);
  };
  check_kernels({1, 98, 98, 2, 1, 24}, rt::packed_plan(starts, starts, causal), sees);
}

TEST_CASE("key ranges may begin anywhere, leave holes, and exclude the diagonal") {
  const rt::AttentionPlan plan = {
      {.begin = 3,
       .end = 60,
       .keys = {{.begin = 5, .end = 211, .diagonal = -1}, {.begin = 230, .end = 231, .diagonal = rt::kEveryKey}}},
      {.begin = 64, .end = 70, .keys = {{.begin = 190, .end = 250, .diagonal = 30}}}};
  const rt::Sees sees = [](int64_t query, int64_t key) {
    if (query >= 3 && query < 60) return key == 230 || (key >= 5 && key < 211 && key - 5 <= query - 3 - 1);
    return query >= 64 && query < 70 && key >= 190 && key < 250 && key - 190 <= query - 64 + 30;
  };
  check_kernels({1, 80, 250, 2, 2, 32}, plan, sees);
}

TEST_CASE("a query that sees nothing gives 0, a log-sum-exp of -inf and no gradient") {
  const Inputs inputs = random_inputs({1, 40, 5, 1, 1, 8});
  for (const rt::Kernel* kernel : kernels()) {
    const Results r = run_kernel(inputs, rt::dense_plan(40, 5, true), {.threads = 1, .kernel = kernel});
    for (size_t i = 0; i < 35 * 8; ++i) CHECK((r.out.as<float>()[i] == 0 && r.dq.as<float>()[i] == 0));
    for (size_t i = 0; i < 40; ++i) CHECK(std::isinf(r.lse.as<double>()[i]) == (i < 35));
  }
}

TEST_CASE("no queries or no keys are no error") {
  const Results none = run_kernel(random_inputs({1, 0, 6, 2, 2, 8}), rt::dense_plan(0, 6, true));
  CHECK((none.out.numel() == 0 && none.dk.bit_equal(rt::Tensor::zeros({1, 6, 2, 8}))));
  const Results blind = run_kernel(random_inputs({1, 6, 0, 2, 2, 8}), rt::dense_plan(6, 0, false));
  CHECK(blind.out.bit_equal(rt::Tensor::zeros({1, 6, 2, 8})));
}

TEST_CASE("scores far apart neither overflow nor become NaN") {
  Inputs inputs = random_inputs({1, 50, 400, 1, 1, 16});
  for (float& x : inputs.q.as<float>()) x *= 300;
  const rt::Sees sees = [](int64_t, int64_t) { return true; };
  const Results reference = run_reference(inputs, sees);
  for (const rt::Kernel* kernel : kernels()) {
    const Results r = run_kernel(inputs, rt::dense_plan(50, 400, false), {.threads = 1, .kernel = kernel});
    for (size_t i = 0; i < r.out.as<float>().size(); ++i)
      CHECK(std::abs(r.out.as<float>()[i] - reference.out.as<double>()[i]) < 1e-3);
  }
}

TEST_CASE("a scale may be given, negative or zero") {
  const float scale = GENERATE(0.5f, -0.5f, 0.0f);
  const Inputs in = random_inputs({1, 30, 30, 1, 1, 8});
  const rt::Sees sees = [](int64_t query, int64_t key) { return key <= query; };
  const rt::ReferenceOutput f = rt::reference_forward(in.q, in.k, in.v, sees, scale);
  const rt::ReferenceGradients b = rt::reference_backward(in.dout, in.q, in.k, in.v, sees, scale);
  for (const rt::Kernel* kernel : kernels()) {
    const Results r = run_kernel(in, rt::dense_plan(30, 30, true), {.scale = scale, .kernel = kernel});
    for (size_t i = 0; i < 30 * 8; ++i) {
      CHECK(std::abs(r.out.as<float>()[i] - f.out.as<double>()[i]) < 1e-5);
      CHECK(std::abs(r.dq.as<float>()[i] - b.dq.as<double>()[i]) < 1e-5);
      CHECK(std::abs(r.dk.as<float>()[i] - b.dk.as<double>()[i]) < 1e-5);
    }
  }
}

TEST_CASE("the number of threads changes no bit") {
  const Inputs inputs = random_inputs({1, 300, 1900, 3, 1, 16});
  const rt::AttentionPlan plan = rt::dense_plan(300, 1900, true);
  for (float scale : {0.3f, -0.3f}) {
    const Results one = run_kernel(inputs, plan, {.scale = scale, .threads = 1});
    for (int threads : {2, 5}) check_bit_equal(one, run_kernel(inputs, plan, {.scale = scale, .threads = threads}));
  }
}

TEST_CASE("a head's result does not depend on which heads are beside it") {
  const Inputs both = random_inputs({1, 90, 1700, 2, 2, 16});  // keys enough for several parts
  const auto second = [](const rt::Tensor& t) { return t.narrow(2, 1, 1); };
  const Inputs alone{.q = second(both.q), .k = second(both.k), .v = second(both.v), .dout = second(both.dout)};
  const rt::AttentionPlan plan = rt::dense_plan(90, 1700, true);
  const Results a = run_kernel(both, plan), b = run_kernel(alone, plan);
  CHECK(second(a.out).bit_equal(b.out));
  CHECK(second(a.dq).bit_equal(b.dq));
  CHECK(second(a.dv).bit_equal(b.dv));
}

// Of equal scores half meet values of 1 and half of -1, so that all is known exactly; an error of the same sign in each
// block would add up.
TEST_CASE("errors do not add up over many blocks of keys") {
  const int64_t keys = 16384;
  const float score = GENERATE(5.0F, 100.0F, 1000.0F);
  std::vector<float> values(static_cast<size_t>(keys), 1.0F);
  std::fill(values.begin() + keys / 2, values.end(), -1.0F);
  const rt::Tensor q = rt::Tensor::full({1, 1, 1, 1}, score), k = rt::Tensor::full({1, keys, 1, 1}, 1),
                   dout = rt::Tensor::full(q.shape(), 1);
  const rt::Tensor v = rt::Tensor::from(values, k.shape());
  const rt::AttentionPlan plan = rt::dense_plan(1, keys, false);
  for (const rt::Kernel* kernel : kernels()) {
    INFO(kernel->name << ", scores of " << score);
    const rt::AttentionOptions options{.scale = 1.0F, .kernel = kernel};
    const rt::AttentionOutput saved = rt::attention_forward(q, k, v, plan, options);
    const rt::AttentionGradients gradients = rt::attention_backward(dout, q, k, v, saved.out, saved.lse, plan, options);
    const std::span<const float> dv = gradients.dv.as<float>();
    CHECK(std::abs(saved.out.item()) < 1e-6);
    const double bound = 1e-6 + score * 0x1p-24;  // the factor of a score is rounded once
    CHECK(std::abs(saved.lse.item() - (score + std::log(static_cast<double>(keys)))) < bound);
    CHECK(std::abs(std::accumulate(dv.begin(), dv.end(), 0.0) - 1) < 4e-6);  // however large the log-sum-exp
  }
}

// How many queries a kernel takes at a time must not show: the last that sees nothing lies anywhere among them.
TEST_CASE("queries that see nothing leave a gradient of -0 alone, whatever the number of threads") {
  const int64_t keys = 8192, queries = 512;  // of several parts and panels
  const int64_t blind = GENERATE(0, 1, 7, 200, 383, 500, 511, 512);
  const Inputs in = random_inputs({1, queries, keys, 1, 1, 4});
  const rt::AttentionPlan plan = {
      {.begin = 0, .end = queries, .keys = {{.begin = keys - 10, .end = keys, .diagonal = -blind}}}};
  for (const rt::Kernel* kernel : kernels()) {
    INFO(kernel->name << ", " << blind << " of " << queries << " queries see nothing");
    const rt::AttentionOutput saved = rt::attention_forward(in.q, in.k, in.v, plan, {.kernel = kernel});
    for (const int threads : {1, 4}) {
      const rt::Tensor dq = rt::Tensor::full(in.q.shape(), -0.0);
      rt::attention_backward_from(
          in.k, in.v, in.dout, in.q, saved.out, saved.lse, plan, {.threads = threads, .kernel = kernel}, rt::Dq::Add,
          {.dq = dq, .dk = rt::Tensor::empty(in.k.shape()), .dv = rt::Tensor::empty(in.k.shape())});
      const rt::Tensor untouched = rt::Tensor::full({1, blind, 1, 4}, -0.0);
      CHECK(dq.narrow(1, 0, blind).bit_equal(untouched));
      if (blind + 1 < queries) CHECK(dq.narrow(1, blind + 1, 1).as<float>()[0] != 0);  // the first that sees two keys
    }
  }
}

TEST_CASE("shapes that do not fit together are refused by name") {
  const Inputs in = random_inputs({1, 4, 4, 3, 2, 8});
  CHECK_THROWS_WITH(rt::attention_forward(in.q, in.k, in.v, rt::dense_plan(4, 4, true)),
                    "3 query heads over 2 KV heads");
  CHECK_THROWS_WITH(rt::attention_forward(in.q, in.k, in.k.narrow(1, 0, 2), {}),
                    Catch::Contains("v has shape [1, 2, 2, 8]"));
  CHECK_THROWS_WITH(rt::attention_forward(in.q, in.q, in.q, rt::dense_plan(4, 5, true)),
                    Catch::Contains("reaches beyond 4 queries or 4 keys"));
  CHECK_THROWS_WITH(rt::attention_forward(in.q.to(rt::DType::I32), in.k, in.v, {}),
                    Catch::Contains("attention on int32"));
  const rt::AttentionOutput saved = rt::attention_forward(in.q, in.q, in.q, rt::dense_plan(4, 4, true));
  const auto backward = [&](const rt::Tensor& dout, const rt::Tensor& out) {
    rt::attention_backward(dout, in.q, in.q, in.q, out, saved.lse, rt::dense_plan(4, 4, true), {.threads = 2});
  };
  CHECK_THROWS_WITH(backward(in.dout.to(rt::DType::F64), saved.out), Catch::Contains("attention on float64"));
  CHECK_THROWS_WITH(backward(in.dout, saved.out.to(rt::DType::F64)), Catch::Contains("attention on float64"));
}

}  // namespace ranklint::test
