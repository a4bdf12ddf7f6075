// The collectives of Fsdp are those that its header promises, no more and no longer: read from the flight record.
#include <catch2/catch.hpp>

#include "runtime/group/device_mesh.h"
#include "runtime/sharded/fsdp.h"
#include "tests/runtime_sharded/mlp.h"
#include "tests/runtime_sharded/ranks.h"

namespace ranklint::runtime {

using test::kFirst;
using test::kSecond;
using test::mlp;
using Calls = std::vector<std::string>;

static Calls calls_of_rank_0(int ranks, const FsdpOptions& options, const std::function<void(Fsdp&)>& use) {
  const WorldReport report = run_world(ranks, [&](RankContext& context) {
    Fsdp model(mlp(), context.world(), options);
    use(model);
  });
  CHECK(report.ok());
  return test::calls_in(report.flight_records.front());
}

static const auto nothing = [](Fsdp&) {};

static void step(Fsdp& model) {
  const test::Batch data = test::batch(0);
  model.backward(test::loss_gradient(model.forward(data.input), data.target));
}

TEST_CASE("a step costs two all_gathers and one reduce_scatter of each unit's padded row") {
  for (int ranks = 1; ranks <= 5; ++ranks) {
    const auto padded = [&](int64_t n) { return std::to_string(ceil_div(n, ranks) * ranks); };
    const std::string first = padded(kFirst), second = padded(kSecond);
    CHECK(calls_of_rank_0(ranks, {.agree = false}, step) == Calls{"all_gather " + first, "all_gather " + second,
                                                                  "all_gather " + second, "reduce_scatter " + second,
                                                                  "all_gather " + first, "reduce_scatter " + first});
    CHECK(calls_of_rank_0(ranks, {.reshard_after_forward = false, .agree = false}, step) ==
          Calls{"all_gather " + first, "all_gather " + second, "reduce_scatter " + second, "reduce_scatter " + first});
  }
}

TEST_CASE("sync_module_states broadcasts buffers and parameters of a unit in buckets of one type") {
  const auto calls = [](size_t bucket_bytes) {
    return calls_of_rank_0(2,
                           {.sync_module_states = true,
                            .device_id = Device::Accelerator,
                            .agree = false,
                            .broadcast_bucket_bytes = bucket_bytes},
                           nothing);
  };
  CHECK(calls(1 << 20) == Calls{"broadcast 1", "broadcast 20", "broadcast 1", "broadcast 12"});
  CHECK(calls(80) == calls(1 << 20));  // the largest unit to the byte
  CHECK(calls(64) == Calls{"broadcast 1", "broadcast 15", "broadcast 5", "broadcast 1", "broadcast 12"});
}

TEST_CASE("agreement costs one all_gather of four numbers, and one more with replicate") {
  CHECK(calls_of_rank_0(3, {}, nothing) == Calls{"all_gather 12"});
  const WorldReport report = run_world(6, [](RankContext& context) {
    DeviceMesh mesh(context, {2, 3}, {"replicate", "shard"});
    Fsdp(mlp(), mesh.group("shard"), {.replicate = mesh.group("replicate")});
  });
  CHECK(report.ok());
  const Calls calls = test::calls_in(report.flight_records.front());
  REQUIRE(calls.size() >= 2);
  CHECK(Calls(calls.end() - 2, calls.end()) == Calls{"all_gather 12", "all_gather 24"});
}

TEST_CASE("clipping costs one all_reduce of a number") {
  CHECK(calls_of_rank_0(2, {.agree = false}, [](Fsdp& model) { model.clip_grad_norm(1); }) == Calls{"all_reduce 1"});
}

TEST_CASE("a full state dict gathers each unit and a sharded one nothing") {
  CHECK(calls_of_rank_0(2, {.agree = false}, [](Fsdp& model) { model.full_state_dict(); }) ==
        Calls{"all_gather 20", "all_gather 12"});
  CHECK(calls_of_rank_0(2, {.agree = false}, [](Fsdp& model) {
          model.load_sharded_state_dict(model.sharded_state_dict());
        }).empty());
}

}  // namespace ranklint::runtime
