// First all ranks agree whether the data is there, then they move it. Here all of them start from zero instead.
#include "testdata/hangs/program.h"

using namespace hangs;

static Result<Tensor> read_shard() { return Error{ErrorKind::Format, "model-00001.safetensors ends within `embed`"}; }

static void body(RankContext& context) {
  const Tensor weight = Tensor::zeros({4});
  const Tensor failed = Tensor::zeros({1}, DType::I32);
  if (context.rank() == 0) {
    const Result<Tensor> shard = read_shard();
    if (shard) weight.copy_(*shard);
    failed.fill_(shard ? 0 : 1);
  }
  context.world().all_reduce(failed, ReduceOp::Max);
  if (failed.item() == 0) context.world().broadcast(weight, 0);
  expect("whether the ranks know of the failure", failed.item(), 1);
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
