// Rank 0 has a batch more than rank 1, and averages its gradients with nobody.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const int batches = context.rank() == 0 ? 3 : 2;
  for (int step = 0; step < batches; ++step) {
    const Tensor gradient = Tensor::full({4}, context.rank());
    context.world().all_reduce(gradient, ReduceOp::Avg);
  }
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
