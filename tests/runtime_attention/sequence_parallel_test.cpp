// Attention over a spread sequence against attention on one rank, by the rule of accuracy: spreading may at most double
// the error that the one rank's kernel has.
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/runtime_attention/sequence_support.h"

namespace ranklint::test {

namespace {

void check_spread(const Grid& grid, const rt::SequenceShape& shape) {
  INFO(grid.ulysses << " x " << grid.ring << ", length " << shape.length << ", " << shape.heads << "/" << shape.kv_heads
                    << " heads, " << rt::name_of(shape.layout) << (shape.causal ? ", causal" : ""));
  AccuracyRule rule;
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    const Inputs in = inputs_of(shape, seed);
    Results alone = run_kernel(in, plan_of(shape)), reference = run_reference(in, sees_of(shape));
    const SpreadRun run = run_spread(grid, shape, in);
    REQUIRE(run.refused == std::vector<std::optional<std::string>>(static_cast<size_t>(grid.ranks())));
    alone.lse = reference.lse = rt::Tensor::zeros({0}, rt::DType::F64);
    Results spread = run.results;
    spread.lse = alone.lse;
    rule.add(spread, alone, reference);
  }
  rule.check();
}

}  // namespace

TEST_CASE("ring attention over 1 to 8 ranks, in every layout, with lengths that do not divide") {
  const int ranks = GENERATE(1, 2, 3, 4, 5, 6, 7, 8);
  const rt::Layout layout = GENERATE(rt::Layout::Contiguous, rt::Layout::Zigzag, rt::Layout::Striped);
  const bool causal = GENERATE(false, true);
  check_spread(
      {1, ranks},
      {.batch = 1, .length = 37, .heads = 2, .kv_heads = 1, .head_dim = 8, .causal = causal, .layout = layout});
}

TEST_CASE("ring attention where some ranks hold no token") {
  const rt::Layout layout = GENERATE(rt::Layout::Contiguous, rt::Layout::Zigzag, rt::Layout::Striped);
  check_spread({1, 4},
               {.batch = 2, .length = 3, .heads = 1, .kv_heads = 1, .head_dim = 4, .causal = true, .layout = layout});
}

TEST_CASE("Ulysses over 1 to 8 ranks: heads that divide, that repeat, and that do neither") {
  const auto [ranks, heads, kv_heads] = GENERATE(table<int, int, int>({{1, 3, 3},
                                                                       {2, 8, 8},
                                                                       {4, 8, 4},
                                                                       {8, 8, 8},
                                                                       {2, 4, 1},
                                                                       {4, 8, 2},
                                                                       {8, 8, 1},
                                                                       {3, 8, 4},
                                                                       {3, 7, 7},
                                                                       {5, 12, 6},
                                                                       {6, 7, 1},
                                                                       {7, 9, 3}}));
  const bool causal = GENERATE(false, true);
  check_spread({ranks, 1}, {.batch = 2,
                            .length = 29,
                            .heads = heads,
                            .kv_heads = kv_heads,
                            .head_dim = 8,
                            .causal = causal,
                            .allow_uneven_heads = true});
}

TEST_CASE("Ulysses times ring, with and without padding to be had") {
  const auto [ulysses, ring] = GENERATE(table<int, int>({{2, 2}, {2, 3}, {3, 2}, {4, 2}, {2, 4}}));
  const rt::Layout layout = GENERATE(rt::Layout::Zigzag, rt::Layout::Striped);
  const int64_t length = GENERATE(48, 31);
  check_spread(
      {ulysses, ring},
      {.batch = 1, .length = length, .heads = 6 * 2, .kv_heads = 12, .head_dim = 8, .causal = true, .layout = layout});
}

TEST_CASE("packed documents stay apart on a ring, also those of length 0 and 1") {
  const rt::Layout layout = GENERATE(rt::Layout::Contiguous, rt::Layout::Zigzag, rt::Layout::Striped);
  const bool causal = GENERATE(false, true);
  check_spread({1, 3}, {.batch = 1,
                        .length = 40,
                        .heads = 2,
                        .kv_heads = 2,
                        .head_dim = 8,
                        .causal = causal,
                        .layout = layout,
                        .starts = {0, 0, 1, 17, 17, 39, 40}});
}

TEST_CASE("packed documents stay apart under Ulysses and on a grid") {
  const auto [ulysses, ring] = GENERATE(table<int, int>({{3, 1}, {2, 2}}));
  check_spread({ulysses, ring}, {.batch = 1,
                                 .length = 40,
                                 .heads = 6,
                                 .kv_heads = 6,
                                 .head_dim = 8,
                                 .causal = true,
                                 .layout = rt::Layout::Zigzag,
                                 .starts = {0, 0, 1, 17, 17, 39, 40}});
}

TEST_CASE("bfloat16 is exchanged as it is and computed with in f32") {
  check_spread({2, 2}, {.batch = 1,
                        .length = 33,
                        .heads = 4,
                        .kv_heads = 2,
                        .head_dim = 16,
                        .dtype = rt::DType::BF16,
                        .causal = true,
                        .layout = rt::Layout::Zigzag});
}

TEST_CASE("Ulysses only moves: its results are the bits of one rank") {
  const rt::SequenceShape shape{.batch = 2, .length = 50, .heads = 4, .kv_heads = 4, .head_dim = 16, .causal = true};
  const Inputs in = inputs_of(shape);
  Results alone = run_kernel(in, plan_of(shape));
  alone.lse = {};
  check_bit_equal(run_spread({4, 1}, shape, in).results, alone);
}

TEST_CASE("sums that are exact are exact however the sequence is spread") {
  // Every weight is 1/64, the scale 1/4, and two places of the ring weigh 1/2 each.
  const rt::SequenceShape shape{.batch = 1, .length = 64, .heads = 4, .kv_heads = 2, .head_dim = 16};
  const Inputs in{.q = rt::Tensor::zeros({1, 64, 4, 16}),
                  .k = small_integers({1, 64, 2, 16}, 1),
                  .v = small_integers({1, 64, 2, 16}, 2),
                  .dout = small_integers({1, 64, 4, 16}, 3)};
  Results alone = run_kernel(in, plan_of(shape));
  alone.lse = {};
  for (const Grid grid : {Grid{1, 2}, Grid{2, 2}, Grid{4, 2}})
    check_bit_equal(run_spread(grid, shape, in).results, alone);
}

TEST_CASE("two runs give the same bits, whatever the schedule") {
  const rt::SequenceShape shape{
      .batch = 1, .length = 70, .heads = 4, .kv_heads = 2, .head_dim = 8, .causal = true, .layout = rt::Layout::Zigzag};
  const Inputs in = inputs_of(shape);
  const Results first = run_spread({2, 3}, shape, in).results;
  for (uint64_t seed = 1; seed <= 5; ++seed)
    check_bit_equal(run_spread({2, 3}, shape, in, {.schedule_seed = seed}).results, first);
}

TEST_CASE("a ring finishes also where every send waits for its receive") {
  const rt::SequenceShape shape{.batch = 1, .length = 20, .heads = 1, .kv_heads = 1, .head_dim = 4, .causal = true};
  const rt::Mode mode = GENERATE(rt::Mode::Synchronous, rt::Mode::OneQueue);
  const Inputs in = inputs_of(shape);
  check_bit_equal(run_spread({1, 3}, shape, in, {.mode = mode}).results, run_spread({1, 3}, shape, in).results);
}

}  // namespace ranklint::test
