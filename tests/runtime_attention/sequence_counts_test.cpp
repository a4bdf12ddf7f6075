// What is sent is what the papers say is sent, and nothing is sent where the ranks do not fit.
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <string>

#include "runtime/group/device_mesh.h"
#include "tests/runtime_attention/sequence_support.h"

namespace ranklint::test {

namespace {

// The all_gather with which ranks agree.
constexpr int64_t kNumbers = 16;

Counts counts_of(const Grid& grid, const rt::SequenceShape& shape) {
  const SpreadRun run = run_spread(grid, shape, inputs_of(shape));
  for (const Counts& counts : run.counts) CHECK(counts.sent == run.counts[0].sent);
  return run.counts[0];
}

}  // namespace

TEST_CASE("Ulysses makes four exchanges each way, of (P-1)/P^2 * B*S*d*(2*Hq + 2*max(Hkv, P)) elements") {
  const int64_t P = 4, B = 2, S = 16, d = 8, heads = 8;
  const int64_t kv_heads = GENERATE(8, 4, 2, 1);
  const Counts counts =
      counts_of({P, 1}, {.batch = B, .length = S, .heads = heads, .kv_heads = kv_heads, .head_dim = d});
  CHECK(counts.all_to_alls == 8);
  CHECK(counts.all_gathers == 1);
  CHECK(counts.batches == 0);
  CHECK(counts.sent ==
        2 * (P - 1) * B * S * d * (2 * heads + 2 * std::max(kv_heads, P)) / (P * P) + (P - 1) * kNumbers);
}

TEST_CASE("a ring makes P-1 exchanges forward and 2(P-1) backward, each of one block of keys and values") {
  const int64_t P = 4, B = 2, S = 16, d = 8, kv_heads = 2;
  const rt::Layout layout = GENERATE(rt::Layout::Contiguous, rt::Layout::Zigzag, rt::Layout::Striped);
  const Counts counts = counts_of(
      {1, P},
      {.batch = B, .length = S, .heads = 4, .kv_heads = kv_heads, .head_dim = d, .causal = true, .layout = layout});
  const int64_t block = 2 * B * S / P * kv_heads * d;
  CHECK(counts.batches == 3 * (P - 1));
  CHECK(counts.all_to_alls == 0);
  CHECK(counts.sent == 3 * (P - 1) * block + (P - 1) * kNumbers);
}

TEST_CASE("U x R sends what Ulysses sends of a piece and a ring of its heads") {
  const int64_t U = 2, R = 2, S = 16, d = 8, heads = 4, kv_heads = 2;
  const Counts counts = counts_of(
      {U, R}, {.length = S, .heads = heads, .kv_heads = kv_heads, .head_dim = d, .layout = rt::Layout::Zigzag});
  const int64_t exchange = (U - 1) * S / (U * R) * d * (2 * heads + 2 * kv_heads) / U;
  const int64_t block = 2 * S / R * kv_heads / U * d;
  CHECK(counts.sent == 2 * exchange + 3 * (R - 1) * block + (U - 1) * kNumbers + (R - 1) * U * kNumbers);
}

TEST_CASE("a group of one sends nothing") { CHECK(counts_of({1, 1}, {.length = 5, .head_dim = 4}).sent == 0); }

TEST_CASE("heads that do not divide are one error on every rank, before anything is sent") {
  const rt::SequenceShape shape{.length = 12, .heads = 8, .kv_heads = 8, .head_dim = 4};
  const SpreadRun run = run_spread({3, 1}, shape, inputs_of(shape));
  for (const auto& refused : run.refused)
    CHECK(refused == "8 heads and 8 KV heads over 3 ranks: the heads do not divide; use ring or U x R");
  for (const Counts& counts : run.counts)
    CHECK((counts.all_gathers == 1 && counts.all_to_alls == 0 && counts.batches == 0));
}

TEST_CASE("ranks that mean different things all learn it, of both groups") {
  std::vector<std::string> errors(4);
  const rt::WorldReport report = rt::run_world(4, [&](rt::RankContext& context) {
    rt::DeviceMesh mesh(context, {2, 2}, {"ring", "ulysses"});
    const rt::SequenceShape shape{.length = 8, .heads = context.rank() == 2 ? 4 : 2, .kv_heads = 2, .head_dim = 4};
    const auto made = rt::SequenceParallel::create(mesh.group("ulysses"), mesh.group("ring"), shape);
    errors[static_cast<size_t>(context.rank())] = made ? "" : made.error().message;
  });
  REQUIRE(report.ok());
  // Ulysses is the inner group: ranks 0 and 2 lead one ring, 1 and 3 the other, and each ring sees all four.
  CHECK(errors == std::vector<std::string>(4, "heads is 2 on rank 0 of 4 and 4 on rank 2"));
}

// What `create` says on each of two ranks of a ring.
static std::vector<std::string> errors_of(
    const std::function<rt::Result<rt::SequenceParallel>(rt::RankContext&)>& create) {
  std::vector<std::string> errors(2);
  const rt::WorldReport report = rt::run_world(2, [&](rt::RankContext& context) {
    const auto made = create(context);
    errors[static_cast<size_t>(context.rank())] = made ? "" : made.error().message;
  });
  CHECK(report.ok());
  return errors;
}

TEST_CASE("whatever the ranks of a sequence mean differently is named on every rank") {
  const rt::ProcessGroup alone;
  const rt::SequenceShape plain{.length = 8, .heads = 2, .kv_heads = 2, .head_dim = 4, .starts = {0, 3, 8}};
  const std::vector<std::pair<std::string, std::function<void(rt::SequenceShape&)>>> changes = {
      {"batch", [](rt::SequenceShape& s) { s.batch = 2; }},
      {"length", [](rt::SequenceShape& s) { s.length = 9; }},
      {"kv_heads", [](rt::SequenceShape& s) { s.kv_heads = 1; }},
      {"head_dim", [](rt::SequenceShape& s) { s.head_dim = 8; }},
      {"dtype", [](rt::SequenceShape& s) { s.dtype = rt::DType::BF16; }},
      {"causal", [](rt::SequenceShape& s) { s.causal = true; }},
      {"layout", [](rt::SequenceShape& s) { s.layout = rt::Layout::Zigzag; }},
      {"the number of documents", [](rt::SequenceShape& s) { s.starts = {0, 8}; }},
      {"the fingerprint of the documents", [](rt::SequenceShape& s) { s.starts = {0, 4, 8}; }},
      {"allow_uneven_heads", [](rt::SequenceShape& s) { s.allow_uneven_heads = true; }},
  };
  for (const auto& [name, change] : changes) {
    const auto errors = errors_of([&, &change = change](rt::RankContext& context) {
      rt::SequenceShape shape = plain;
      if (context.rank() == 1) change(shape);
      return rt::SequenceParallel::create(alone, context.world(), shape);
    });
    CHECK_THAT(errors[0], Catch::StartsWith(name + " is ") && Catch::EndsWith(" on rank 1"));
    CHECK(errors[0] == errors[1]);
  }
}

TEST_CASE("options that would give each rank other numbers are refused on every rank") {
  const rt::ProcessGroup alone;
  const rt::SequenceShape shape{.length = 8, .heads = 2, .kv_heads = 2, .head_dim = 4};
  const auto scaled = errors_of([&](rt::RankContext& context) {
    return rt::SequenceParallel::create(alone, context.world(), shape, {.scale = context.rank() == 0 ? 1.0F : 0.5F});
  });
  CHECK(scaled ==
        std::vector<std::string>(2, "the bits of the scale is 1065353216 on rank 0 of 2 and 1056964608 on rank 1"));
  const auto mapped = errors_of([&](rt::RankContext& context) {
    return rt::SequenceParallel::create(alone, context.world(), shape, {.kv_head_of = {1, 0}});
  });
  CHECK(mapped == std::vector<std::string>(
                      2, "kv_head_of can not be given: which heads a rank has follows from the rule of attention.h"));
}

TEST_CASE(
    "a type that attention does not know is refused on every rank, and so is a tensor of another than agreed on") {
  const rt::ProcessGroup alone;
  rt::SequenceShape shape{.length = 8, .heads = 2, .kv_heads = 2, .head_dim = 4, .dtype = rt::DType::I64};
  const auto unknown =
      errors_of([&](rt::RankContext& context) { return rt::SequenceParallel::create(alone, context.world(), shape); });
  CHECK(unknown == std::vector<std::string>(2, "attention on int64"));
  shape.dtype = rt::DType::BF16;
  const Inputs in = inputs_of({.length = 8, .heads = 2, .kv_heads = 2, .head_dim = 4});
  CHECK_THROWS_WITH(rt::SequenceParallel::create(alone, alone, shape)->forward(in.q, in.k, in.v),
                    "q, k, v of float32, not bfloat16 as agreed on");
}

TEST_CASE("documents that do not cover the sequence are refused on every rank") {
  const rt::SequenceShape shape{.length = 8, .head_dim = 4, .starts = {0, 5}};
  for (const auto& refused : run_spread({1, 2}, shape, inputs_of({.length = 8, .head_dim = 4})).refused)
    CHECK(refused == "the starts of documents must begin with 0, ascend and end with the length, 8");
}

}  // namespace ranklint::test
