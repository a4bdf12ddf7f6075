// Each rank copies its own columns out of the whole weight: nothing is communicated, so ranks may differ.
#include "runtime/sharded/dtensor.h"
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  DeviceMesh mesh(context, {4}, {"fsdp"});
  const Tensor weight = Tensor::arange(16).reshape({4, 4});
  DTensor parameter = DTensor::distribute(Tensor::zeros({4, 4}), mesh, {Shard{1}}, {.src_data_rank = std::nullopt});
  const bool has_key = context.rank() < 2;
  if (has_key) parameter.copy_(weight);
  context.world().barrier();
  for (int row = 0; row < 4; ++row)
    expect("a weight of this rank's column", parameter.to_local().item(row), has_key ? 4 * row + context.rank() : 0);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
