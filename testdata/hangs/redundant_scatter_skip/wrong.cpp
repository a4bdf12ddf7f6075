// Every rank has read the checkpoint, and still each tensor is distributed from rank 0. Rank 1's model has no `bias`, so it
// skips that key and meets rank 0's scatter of `bias` with its own of `head`.
#include <utility>

#include "runtime/sharded/dtensor.h"
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  DeviceMesh mesh(context, {2}, {"fsdp"});
  const std::vector<std::pair<std::string, Tensor>> checkpoint = {
      {"embed", Tensor::arange(8)}, {"bias", Tensor::arange(4)}, {"head", Tensor::arange(6)}};
  for (const auto& [key, tensor] : checkpoint) {
    if (key == "bias" && context.rank() == 1) continue;
    DTensor::distribute(tensor, mesh, {Shard{0}});
  }
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
