// Rank 0 reads a shard and broadcasts it. The file is cut short: rank 0 fails, the others wait for its data.
#include "testdata/hangs/program.h"

using namespace hangs;

static Tensor read_shard() { fail(ErrorKind::Format, "model-00001.safetensors ends within `embed`"); }

static void body(RankContext& context) {
  const Tensor weight = Tensor::zeros({4});
  if (context.rank() == 0) weight.copy_(read_shard());
  context.world().broadcast(weight, 0);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
