#include <catch2/catch.hpp>

#include <algorithm>

#include "runtime/attention/layout.h"

namespace ranklint::test {

namespace rt = ranklint::runtime;

namespace {

std::vector<int64_t> positions_of(const std::vector<rt::Run>& runs) {
  std::vector<int64_t> positions;
  for (const rt::Run& run : runs)
    for (int64_t i = 0; i < run.count; ++i) positions.push_back(run.first + i * run.stride);
  return positions;
}

bool plan_sees(const rt::AttentionPlan& plan, int64_t query, int64_t key) {
  for (const rt::QueryRange& range : plan)
    for (const rt::KeyRange& keys : range.keys)
      if (query >= range.begin && query < range.end && key >= keys.begin && key < keys.end &&
          key - keys.begin <= query - range.begin + keys.diagonal)
        return true;
  return false;
}

}  // namespace

TEST_CASE("the parts of a layout hold every position once") {
  const rt::Layout layout = GENERATE(rt::Layout::Contiguous, rt::Layout::Zigzag, rt::Layout::Striped);
  const int parts = GENERATE(1, 2, 3, 8);
  const int64_t length = GENERATE(0, 1, 5, 16, 37);
  std::vector<int64_t> all;
  for (int part = 0; part < parts; ++part) {
    const std::vector<int64_t> positions = positions_of(rt::runs_of(layout, length, parts, part));
    CHECK(std::is_sorted(positions.begin(), positions.end()));
    all.insert(all.end(), positions.begin(), positions.end());
  }
  std::sort(all.begin(), all.end());
  CHECK(all == positions_of({{.first = 0, .count = length, .stride = 1}}));
}

TEST_CASE("zigzag and striped place tokens as their papers say") {
  CHECK(positions_of(rt::runs_of(rt::Layout::Zigzag, 8, 2, 0)) == std::vector<int64_t>{0, 1, 6, 7});
  CHECK(positions_of(rt::runs_of(rt::Layout::Zigzag, 8, 2, 1)) == std::vector<int64_t>{2, 3, 4, 5});
  CHECK(positions_of(rt::runs_of(rt::Layout::Striped, 7, 3, 0)) == std::vector<int64_t>{0, 3, 6});
  CHECK(positions_of(rt::runs_of(rt::Layout::Striped, 7, 3, 2)) == std::vector<int64_t>{2, 5});
}

TEST_CASE("zigzag gives every part the same causal work") {
  for (int part = 0; part < 4; ++part) {
    int64_t pairs = 0;
    for (int other = 0; other < 4; ++other)
      pairs += rt::visible_pairs(rt::plan_between(rt::runs_of(rt::Layout::Zigzag, 64, 4, part),
                                                  rt::runs_of(rt::Layout::Zigzag, 64, 4, other), true));
    CHECK(pairs == 64 * 65 / 2 / 4);
  }
}

TEST_CASE("the masks between parts are the mask of the whole, also across documents") {
  const rt::Layout layout = GENERATE(rt::Layout::Contiguous, rt::Layout::Zigzag, rt::Layout::Striped);
  const bool causal = GENERATE(false, true);
  const std::vector<int64_t> starts = GENERATE(std::vector<int64_t>{}, std::vector<int64_t>{0, 0, 1, 9, 9, 20, 29});
  const auto document_of = [&](int64_t position) { return std::upper_bound(starts.begin(), starts.end(), position); };
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      const std::vector<rt::Run> queries = rt::runs_of(layout, 29, 3, a), keys = rt::runs_of(layout, 29, 3, b);
      const std::vector<int64_t> q = positions_of(queries), k = positions_of(keys);
      const rt::AttentionPlan plan = rt::plan_between(queries, keys, causal, starts);
      for (size_t i = 0; i < q.size(); ++i)
        for (size_t j = 0; j < k.size(); ++j)
          CHECK(plan_sees(plan, static_cast<int64_t>(i), static_cast<int64_t>(j)) ==
                (document_of(q[i]) == document_of(k[j]) && (!causal || k[j] <= q[i])));
    }
}

TEST_CASE("neighbouring chunks that hide nothing from each other are one range") {
  const std::vector<rt::Run> first = rt::runs_of(rt::Layout::Zigzag, 16, 2, 0),
                             second = rt::runs_of(rt::Layout::Zigzag, 16, 2, 1);
  CHECK(rt::plan_between(first, second, false) ==
        rt::AttentionPlan{{.begin = 0, .end = 8, .keys = {{.begin = 0, .end = 8}}}});
  const rt::AttentionPlan causal = rt::plan_between(first, second, true);
  CHECK(causal == rt::AttentionPlan{{.begin = 0, .end = 4}, {.begin = 4, .end = 8, .keys = {{.begin = 0, .end = 8}}}});
}

TEST_CASE("a piece of a part holds the part's tokens in order") {
  const std::vector<rt::Run> runs = rt::runs_of(rt::Layout::Zigzag, 16, 2, 0);
  CHECK(positions_of(rt::sub_runs(runs, 2, 6)) == std::vector<int64_t>{2, 3, 12, 13});
}

TEST_CASE("sharding moves elements and nothing else") {
  const rt::Tensor whole = rt::Tensor::arange(2 * 7 * 3).reshape({2, 7, 3});
  const rt::Tensor part = rt::shard(whole, rt::runs_of(rt::Layout::Striped, 7, 3, 1));
  CHECK(part.bit_equal(rt::Tensor::from<float>({3, 4, 5, 12, 13, 14, 24, 25, 26, 33, 34, 35}, {2, 2, 3})));
  const rt::Tensor back = rt::Tensor::zeros(whole.shape());
  for (int i = 0; i < 3; ++i)
    rt::unshard_into(back, rt::shard(whole, rt::runs_of(rt::Layout::Zigzag, 7, 3, i)),
                     rt::runs_of(rt::Layout::Zigzag, 7, 3, i));
  CHECK(back.bit_equal(whole));
}

TEST_CASE("parts that there are not and runs that reach beyond the sequence are refused") {
  CHECK_THROWS_AS(rt::split_piece(4, 0, 0), rt::RankError);
  CHECK_THROWS_AS(rt::split_piece(4, 2, 2), rt::RankError);
  CHECK_THROWS_AS(rt::runs_of(rt::Layout::Striped, 4, 0, 0), rt::RankError);
  CHECK_THROWS_AS(rt::runs_of(rt::Layout::Zigzag, -4, 2, 0), rt::RankError);
  const rt::Tensor whole = rt::Tensor::zeros({1, 4, 2});
  for (const rt::Run& run :
       {rt::Run{0, 5, 1}, rt::Run{-1, 2, 1}, rt::Run{1, 2, 3}, rt::Run{0, 2, 0}, rt::Run{0, -1, 1}})
    CHECK_THROWS_AS(rt::shard(whole, {run}), rt::RankError);
  CHECK(rt::shard(whole, {rt::Run{1, 2, 2}, rt::Run{4, 0, 1}}).shape() == rt::Shape{1, 2, 2});
  CHECK_THROWS_AS(rt::shard(rt::Tensor::arange(4), {rt::Run{0, 4, 1}}), rt::RankError);
  CHECK_THROWS_AS(rt::unshard_into(whole, rt::Tensor::zeros({1, 3, 2}), {rt::Run{0, 4, 1}}), rt::RankError);
  CHECK_THROWS_AS(rt::unshard_into(whole, rt::Tensor::zeros({1, 4, 2}, rt::DType::F64), {rt::Run{0, 4, 1}}),
                  rt::RankError);
}

}  // namespace ranklint::test
