// Rank 0 alone logs, and to log ends with a barrier. The other rank waits for the loss meanwhile.
#include "testdata/hangs/program.h"

using namespace hangs;

static void log(RankContext& context) { context.world().barrier(); }

static void body(RankContext& context) {
  const Tensor loss = Tensor::full({1}, context.rank() == 0 ? 0.5 : 0);
  if (context.rank() == 0) {
    log(context);
    context.world().send(loss, 1);
  } else {
    context.world().recv(loss, 0);
  }
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
