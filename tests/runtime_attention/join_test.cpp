#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/runtime_attention/attention_support.h"

namespace ranklint::test {

namespace {

// Ten queries against 40 keys.
struct Example {
  Inputs in = random_inputs({1, 10, 40, 2, 2, 8});

  rt::AttentionOutput over(const rt::AttentionPlan& plan) const {
    return rt::attention_forward(in.q, in.k, in.v, plan);
  }
  void join(const rt::AttentionOutput& into, const rt::AttentionPlan& plan) const {
    rt::join_attention(in.q, in.k, in.v, plan, {}, into);
  }
};

rt::AttentionPlan keys(int64_t begin, int64_t end) {
  return {{.begin = 0, .end = 10, .keys = {{.begin = begin, .end = end}}}};
}

void check_same_bits(const rt::AttentionOutput& a, const rt::AttentionOutput& b) {
  CHECK(std::ranges::equal(a.out.as<float>(), b.out.as<float>()));
  CHECK(std::ranges::equal(a.lse.as<double>(), b.lse.as<double>()));
}

}  // namespace

TEST_CASE("attention over two halves of the keys joins to attention over all") {
  const Example example;
  const rt::AttentionOutput whole = example.over(keys(0, 40));
  const rt::AttentionOutput joined = example.over(keys(0, 13));
  example.join(joined, keys(13, 40));
  for (size_t i = 0; i < joined.out.as<float>().size(); ++i)
    CHECK(std::abs(joined.out.as<float>()[i] - whole.out.as<float>()[i]) < 1e-6);
  for (size_t i = 0; i < joined.lse.as<double>().size(); ++i)
    CHECK(std::abs(joined.lse.as<double>()[i] - whole.lse.as<double>()[i]) < 1e-6);
}

TEST_CASE("what saw nothing changes no bit, on either side or on both") {
  const Example example;
  const rt::AttentionPlan nothing = keys(0, 0);
  const rt::AttentionOutput some = example.over(keys(0, 40)), joined = example.over(keys(0, 40));
  const rt::AttentionOutput none = example.over(nothing), still_none = example.over(nothing);
  example.join(joined, nothing);
  check_same_bits(joined, some);
  example.join(still_none, nothing);
  check_same_bits(still_none, none);
  example.join(none, keys(0, 40));
  check_same_bits(none, some);
}

TEST_CASE("what is joined must have the shape of the queries") {
  const Example example;
  const rt::AttentionOutput some = example.over(keys(0, 40));
  CHECK_THROWS_AS(example.join({.out = some.out.narrow(1, 0, 5), .lse = some.lse}, keys(0, 40)), rt::RankError);
  CHECK_THROWS_AS(example.join({.out = some.out, .lse = some.lse.narrow(2, 0, 5)}, keys(0, 40)), rt::RankError);
}

}  // namespace ranklint::test
