// A barrier inside of what only rank 0 does.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  double saved = 0;
  if (context.rank() == 0) {
    saved = 1;
    context.world().barrier();
  }
  const Tensor count = Tensor::full({1}, saved);
  context.world().all_reduce(count);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
