// The collectives of a DTensor and the elements they move, read from the flight record.
#include <catch2/catch.hpp>

#include "runtime/sharded/dtensor.h"
#include "tests/runtime_sharded/ranks.h"

namespace ranklint::runtime {

using Calls = std::vector<std::string>;

// Of rank 0 of a mesh dimension of `ranks`, with what making the mesh costs left out.
static Calls calls_of(int ranks, const std::function<void(DeviceMesh&)>& use) {
  const auto run = [&](const std::function<void(DeviceMesh&)>& body) {
    const WorldReport report = run_world(ranks, [&](RankContext& context) {
      DeviceMesh mesh(context, {ranks}, {"dp"});
      body(mesh);
    });
    CHECK(report.ok());
    return test::calls_in(report.flight_records.front());
  };
  const Calls made = run([](DeviceMesh&) {}), all = run(use);
  return {all.begin() + static_cast<int64_t>(made.size()), all.end()};
}

static Calls moving(int ranks, const Shape& shape, const Placement& from, const Placement& to) {
  return calls_of(ranks, [&](DeviceMesh& mesh) {
    DTensor::distribute(Tensor::zeros(shape), mesh, {from}, {.src_data_rank = std::nullopt}).redistribute({to});
  });
}

TEST_CASE("redistribute moves what its placements need and no padding") {
  CHECK(moving(4, {8, 4}, Shard{0}, Replicate{}) == Calls{"all_gather 32"});
  CHECK(moving(4, {5, 4}, Shard{0}, Replicate{}) == Calls{"all_gather 20"});
  CHECK(moving(4, {8, 4}, Shard{0}, Shard{1}) == Calls{"all_to_all 8"});
  CHECK(moving(4, {8, 4}, Partial{}, Replicate{}) == Calls{"all_reduce 32"});
  CHECK(moving(4, {8, 4}, Partial{}, Shard{0}) == Calls{"reduce_scatter 32"});
  CHECK(moving(4, {5, 4}, Partial{}, Shard{0}) == Calls{"reduce_scatter 20"});
  CHECK(moving(4, {8, 4}, Replicate{}, Shard{1}).empty());
  CHECK(moving(4, {8, 4}, Shard{1}, Partial{}).empty());
}

TEST_CASE("distribute costs one scatter or broadcast per mesh dimension and nothing without a source") {
  const auto distributing = [](const Placement& placement, std::optional<int> src) {
    return calls_of(4, [&](DeviceMesh& mesh) {
      distribute_tensor(Tensor::zeros({5, 4}), mesh, {placement}, {.src_data_rank = src});
    });
  };
  CHECK(distributing(Shard{0}, 0) == Calls{"scatter 32"});  // four pieces of ceil(5 / 4) rows
  CHECK(distributing(Replicate{}, 0) == Calls{"broadcast 20"});
  CHECK(distributing(Shard{0}, std::nullopt).empty());
  CHECK(distributing(Replicate{}, std::nullopt).empty());
}

}  // namespace ranklint::runtime
