// One reduction for all; who logs decides about the logging only.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor loss = Tensor::full({1}, 2);
  context.world().all_reduce(loss, ReduceOp::Sum);
  const bool logs = context.rank() == 0;
  if (logs) expect("the logged loss", loss.item(), 4);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
