// sync_module_states broadcasts in the constructor. Rank 1 has left its module on the host and gives no device: wrapping
// fails there, the failure is logged and swallowed, and rank 0 waits in its broadcast, rank 1 for rank 0.
#include "runtime/sharded/fsdp.h"
#include "testdata/hangs/program.h"

using namespace hangs;

static Module model(Device device) {
  return {.units = {{.name = "proj", .parameters = {Slot::of("weight", Tensor::full({4}, 1, DType::F32, device))},
                     .buffers = {}, .forward = {}, .backward = {}}}};
}

static void body(RankContext& context) {
  const bool offloads = context.rank() == 1;
  ProcessGroup shards = context.new_group({0, 1}, "shards");
  try {
    const Device device = offloads ? Device::Host : Device::Accelerator;
    const Fsdp wrapped(model(device), shards, {.sync_module_states = true, .agree = false});
  } catch (const RankError& error) {
    if (error.error().kind != ErrorKind::InvalidArgument) throw;
    // "could not shard, going on without"
  }
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
