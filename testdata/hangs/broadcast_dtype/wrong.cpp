// Rank 0 sends the checkpoint's bfloat16, rank 1 receives into its model's float32.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const DType dtype = context.rank() == 0 ? DType::BF16 : DType::F32;
  const Tensor weight = Tensor::full({4}, context.rank() == 0 ? 3 : 0, dtype);
  context.world().broadcast(weight, 0);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
