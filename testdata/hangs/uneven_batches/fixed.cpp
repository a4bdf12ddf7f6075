// The ranks agree on the number of steps: the smallest.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor batches = Tensor::full({1}, context.rank() == 0 ? 3 : 2, DType::I64);
  context.world().all_reduce(batches, ReduceOp::Min);
  double sum = 0;
  for (int step = 0; step < static_cast<int>(batches.item()); ++step) {
    const Tensor gradient = Tensor::full({4}, context.rank());
    context.world().all_reduce(gradient, ReduceOp::Avg);
    sum += gradient.item();
  }
  expect("the sum of the mean gradients", sum, 1);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
