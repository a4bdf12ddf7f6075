// Rank 0 loaded a checkpoint whose module has one buffer more than the modules that the others made: its broadcast of
// the buffers meets theirs with another size.
#include "runtime/sharded/fsdp.h"
#include "testdata/hangs/program.h"

using namespace hangs;

static Module model(bool loaded) {
  Unit unit{.name = "norm", .parameters = {Slot::of("weight", Tensor::full({4}, 1, DType::F32, Device::Accelerator))},
            .buffers = {Slot::of("mean", Tensor::zeros({4}, DType::F32, Device::Accelerator))}, .forward = {}, .backward = {}};
  if (loaded) unit.buffers.push_back(Slot::of("count", Tensor::zeros({1}, DType::F32, Device::Accelerator)));
  return {.units = {unit}};
}

static void body(RankContext& context) {
  const Fsdp wrapped(model(context.rank() == 0), context.world(), {.sync_module_states = true, .agree = false});
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
