// A weight is loaded cut by rows and copied into a parameter that is cut by columns. `copy_` redistributes it first, which
// every rank of the mesh has to take part in; but only the ranks whose part holds the key copy.
#include "runtime/sharded/dtensor.h"
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  DeviceMesh mesh(context, {4}, {"fsdp"});
  const Tensor weight = Tensor::arange(16).reshape({4, 4});
  const DTensor loaded = DTensor::distribute(weight, mesh, {Shard{0}}, {.src_data_rank = std::nullopt});
  DTensor parameter = DTensor::distribute(Tensor::zeros({4, 4}), mesh, {Shard{1}}, {.src_data_rank = std::nullopt});
  const bool has_key = context.rank() < 2;
  if (has_key) parameter.copy_(loaded);
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
