#include <catch2/catch.hpp>

#include <limits>

#include "runtime/attention/attention.h"
#include "runtime/attention/matmul.h"

namespace ranklint::test {

namespace rt = ranklint::runtime;

TEST_CASE("the pairs of a plan are counted as a mask would count them") {
  const int64_t q_len = GENERATE(0, 1, 5, 9), k_len = GENERATE(0, 1, 5, 9), diagonal = GENERATE(-20, -2, -1, 0, 3, 20);
  int64_t seen = 0;
  for (int64_t i = 0; i < q_len; ++i)
    for (int64_t j = 0; j < k_len; ++j) seen += j <= i + diagonal;
  CHECK(rt::visible_pairs({{.begin = 0, .end = q_len, .keys = {{.begin = 0, .end = k_len, .diagonal = diagonal}}}}) ==
        seen);
}

TEST_CASE("a causal plan lets the last query see every key") {
  CHECK(rt::dense_plan(2, 5, true) ==
        rt::AttentionPlan{{.begin = 0, .end = 2, .keys = {{.begin = 0, .end = 5, .diagonal = 3}}}});
}

TEST_CASE("packed starts that descend, or differ in number, are refused") {
  const std::vector<int64_t> good = {0, 3, 3}, descends = {0, 3, 2}, late = {1, 3, 3}, shorter = {0, 3};
  CHECK_NOTHROW(rt::packed_plan(good, good, true));
  for (const std::vector<int64_t>& bad : {descends, late, shorter})
    CHECK_THROWS_AS(rt::packed_plan(good, bad, true), rt::RankError);
}

TEST_CASE("a plan whose ranges overlap, or whose diagonal is beyond all keys, is refused") {
  const rt::Tensor x = rt::Tensor::zeros({1, 4, 1, 8});
  const auto refused = [&](const rt::AttentionPlan& plan) {
    CHECK_THROWS_AS(rt::attention_forward(x, x, x, plan), rt::RankError);
  };
  refused({{.begin = 0, .end = 4, .keys = {{.begin = 0, .end = 4}}},
           {.begin = 2, .end = 4, .keys = {{.begin = 0, .end = 2}}}});
  refused({{.begin = 0, .end = 4, .keys = {{.begin = 0, .end = 4}, {.begin = 1, .end = 3}}}});
  refused({{.begin = 0, .end = 4, .keys = {{.begin = 2, .end = 4}, {.begin = 0, .end = 2}}}});
  refused({{.begin = 0, .end = 4, .keys = {{.begin = 0, .end = 4, .diagonal = std::numeric_limits<int64_t>::max()}}}});
  const rt::AttentionPlan any_order = {{.begin = 2, .end = 4, .keys = {{.begin = 0, .end = 2}}},
                                       {.begin = 0, .end = 2, .keys = {{.begin = 2, .end = 4}}}};
  CHECK(rt::attention_forward(x, x, x, any_order).out.shape() == x.shape());
}

TEST_CASE("more threads than there is work for are not made ready for") {
  const rt::Tensor x = rt::Tensor::zeros({1, 4, 1, 8}), square = rt::Tensor::zeros({2, 2});
  const int most = std::numeric_limits<int>::max();
  const rt::AttentionPlan plan = rt::dense_plan(4, 4, true);
  const rt::AttentionOutput forward = rt::attention_forward(x, x, x, plan, {.threads = most});
  rt::attention_backward(x, x, x, x, forward.out, forward.lse, plan, {.threads = most});
  CHECK(rt::matmul(square, rt::MatrixForm::AsIs, square, rt::MatrixForm::AsIs, {.threads = most}).numel() == 4);
}

}  // namespace ranklint::test
