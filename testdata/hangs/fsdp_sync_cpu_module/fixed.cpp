// `device_id` moves the module before it is synchronised, on every rank.
#include "runtime/sharded/fsdp.h"
#include "testdata/hangs/program.h"

using namespace hangs;

static Module model(double value, Device device) {
  return {.units = {{.name = "proj", .parameters = {Slot::of("weight", Tensor::full({4}, value, DType::F32, device))},
                     .buffers = {}, .forward = {}, .backward = {}}}};
}

static void body(RankContext& context) {
  const bool offloads = context.rank() == 1;
  ProcessGroup shards = context.new_group({0, 1}, "shards");
  Fsdp wrapped(model(context.rank() == 0 ? 3 : 0, offloads ? Device::Host : Device::Accelerator), shards,
               {.sync_module_states = true, .device_id = Device::Accelerator});
  expect("this rank's part of rank 0's weight", wrapped.shards()[0].parameter.item(1), 3);
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
