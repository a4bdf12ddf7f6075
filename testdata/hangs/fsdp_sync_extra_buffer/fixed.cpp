// Every rank makes the same module; only the values are rank 0's.
#include "runtime/sharded/fsdp.h"
#include "testdata/hangs/program.h"

using namespace hangs;

static Module model(double value) {
  return {.units = {{.name = "norm", .parameters = {Slot::of("weight", Tensor::full({4}, value, DType::F32, Device::Accelerator))},
                     .buffers = {Slot::of("mean", Tensor::full({4}, value, DType::F32, Device::Accelerator)),
                                 Slot::of("count", Tensor::full({1}, value, DType::F32, Device::Accelerator))},
                     .forward = {}, .backward = {}}}};
}

static void body(RankContext& context) {
  Fsdp wrapped(model(context.rank() == 0 ? 2 : 0), context.world(), {.sync_module_states = true, .agree = false});
  expect("this rank's part of rank 0's weight", wrapped.shards()[0].parameter.item(), 2);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
