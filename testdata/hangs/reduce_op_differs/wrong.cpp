// One rank asks for the sum of the losses, the other for their maximum. Elsewhere that passes, with different numbers.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const bool logs = context.rank() == 0;
  context.world().all_reduce(Tensor::full({1}, 2), logs ? ReduceOp::Sum : ReduceOp::Max);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
