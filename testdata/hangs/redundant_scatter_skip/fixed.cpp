// What every rank has read, every rank cuts by itself.
#include <utility>

#include "runtime/sharded/dtensor.h"
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  DeviceMesh mesh(context, {2}, {"fsdp"});
  const std::vector<std::pair<std::string, Tensor>> checkpoint = {
      {"embed", Tensor::arange(8)}, {"bias", Tensor::arange(4)}, {"head", Tensor::arange(6)}};
  int64_t kept = 0;
  for (const auto& [key, tensor] : checkpoint) {
    if (key == "bias" && context.rank() == 1) continue;
    kept += DTensor::distribute(tensor, mesh, {Shard{0}}, {.src_data_rank = std::nullopt}).to_local().numel();
  }
  context.world().barrier();
  expect("the elements that this rank keeps", static_cast<double>(kept), context.rank() == 1 ? 7 : 9);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
