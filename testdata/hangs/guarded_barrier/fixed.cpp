// What is logged is rank 0's, the barrier everybody's.
#include "testdata/hangs/program.h"

using namespace hangs;

static void log(RankContext& context) { context.world().barrier(); }

static void body(RankContext& context) {
  const Tensor loss = Tensor::full({1}, context.rank() == 0 ? 0.5 : 0);
  log(context);
  if (context.rank() == 0) context.world().send(loss, 1);
  else context.world().recv(loss, 0);
  expect("the loss", loss.item(), 0.5);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
