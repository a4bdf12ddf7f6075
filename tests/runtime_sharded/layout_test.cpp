#include "runtime/sharded/layout.h"

#include <catch2/catch.hpp>

#include "runtime/base/tensor.h"

namespace ranklint::runtime {

static std::vector<int64_t> lengths(int64_t n, int64_t ranks) {
  std::vector<int64_t> out;
  for (const Range& range : shard_ranges(n, ranks)) out.push_back(range.length);
  return out;
}

TEST_CASE("a dimension is cut into rounded-up pieces and the last ranks may hold nothing") {
  CHECK(lengths(5, 4) == std::vector<int64_t>{2, 2, 1, 0});
  CHECK(lengths(3, 4) == std::vector<int64_t>{1, 1, 1, 0});
  CHECK(lengths(9, 8) == std::vector<int64_t>{2, 2, 2, 2, 1, 0, 0, 0});
  CHECK(lengths(6, 4) == std::vector<int64_t>{2, 2, 2, 0});
  CHECK(lengths(0, 2) == std::vector<int64_t>{0, 0});
}

TEST_CASE("an empty piece starts where the array ends") {
  CHECK(shard_range(5, 4, 3) == Range{.start = 5, .length = 0});
  CHECK(shard_range(9, 8, 7) == Range{.start = 9, .length = 0});
}

TEST_CASE("shards are the pieces of chunk, followed by empty ones") {
  for (int64_t n = 0; n <= 17; ++n)
    for (int64_t k = 1; k <= 9; ++k) {
      const std::vector<Tensor> pieces = Tensor::arange(n).chunk(k);
      const std::vector<Range> ranges = shard_ranges(n, k);
      for (size_t r = 0; r < ranges.size(); ++r) {
        const int64_t expected = r < pieces.size() ? pieces[r].numel() : 0;
        CHECK(ranges[r].length == expected);
        if (expected > 0) CHECK(ranges[r].start == static_cast<int64_t>(pieces[r].item(0)));
      }
    }
}

TEST_CASE("the left mesh dimension cuts first and the right one cuts its piece again") {
  const Placements both = {Shard{0}, Shard{0}};
  const auto at = [&](int i, int j) { return local_shape_and_offset({10, 3}, {2, 3}, {i, j}, both); };
  CHECK(at(0, 0) == LocalPart{.shape = {2, 3}, .offset = {0, 0}});
  CHECK(at(0, 2) == LocalPart{.shape = {1, 3}, .offset = {4, 0}});
  CHECK(at(1, 1) == LocalPart{.shape = {2, 3}, .offset = {7, 0}});
}

TEST_CASE("replicated and partial mesh dimensions cut nothing") {
  const LocalPart part = local_shape_and_offset({4, 6}, {2, 2, 3}, {1, 1, 2}, {Replicate{}, Partial{}, Shard{1}});
  CHECK(part == LocalPart{.shape = {4, 2}, .offset = {0, 4}});
}

TEST_CASE("placements that do not fit mesh or tensor are refused") {
  CHECK_THROWS_AS(local_shape_and_offset({4}, {2}, {0}, {Shard{1}}), RankError);
  CHECK_THROWS_AS(local_shape_and_offset({4}, {2}, {0}, {Shard{0}, Replicate{}}), RankError);
  CHECK_THROWS_AS(check_placements({Partial{ReduceOp::Sum}, Partial{ReduceOp::Max}}, 2, 1), RankError);
  CHECK_NOTHROW(check_placements({Partial{ReduceOp::Sum}, Partial{ReduceOp::Avg}}, 2, 1));
}

TEST_CASE("a coordinate outside of the mesh and a shape that there is not are refused") {
  const Placements rows = {Shard{0}};
  for (const int coordinate : {-1, 2}) CHECK_THROWS_AS(local_shape_and_offset({4}, {2}, {coordinate}, rows), RankError);
  CHECK_THROWS_AS(local_shape_and_offset({4}, {0}, {0}, rows), RankError);
  CHECK_THROWS_AS(local_shape_and_offset({-4}, {2}, {0}, rows), RankError);
}

}  // namespace ranklint::runtime
