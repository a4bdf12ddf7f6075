#include <catch2/catch.hpp>

#include "runtime/attention/plan.h"
#include "runtime/base/error.h"

namespace ranklint::test {

namespace rt = ranklint::runtime;

TEST_CASE("the pairs of a plan are counted as a mask would count them") {
  const int64_t q_len = GENERATE(0, 1, 5, 9), k_len = GENERATE(0, 1, 5, 9), diagonal = GENERATE(-20, -2, -1, 0, 3, 20);
  int64_t seen = 0;
  for (int64_t i = 0; i < q_len; ++i)
    for (int64_t j = 0; j < k_len; ++j) seen += j <= i + diagonal;
  CHECK(rt::visible_pairs({{.begin = 0, .end = q_len, .keys = {{.begin = 0, .end = k_len, .diagonal = diagonal}}}}) == seen);
}

TEST_CASE("a causal plan lets the last query see every key") {
  CHECK(rt::dense_plan(2, 5, true) == rt::AttentionPlan{{.begin = 0, .end = 2, .keys = {{.begin = 0, .end = 5, .diagonal = 3}}}});
}

TEST_CASE("packed starts that descend, or differ in number, are refused") {
  const std::vector<int64_t> good = {0, 3, 3}, descends = {0, 3, 2}, late = {1, 3, 3}, shorter = {0, 3};
  CHECK_NOTHROW(rt::packed_plan(good, good, true));
  for (const std::vector<int64_t>& bad : {descends, late, shorter}) CHECK_THROWS_AS(rt::packed_plan(good, bad, true), rt::RankError);
}

}  // namespace ranklint::test
