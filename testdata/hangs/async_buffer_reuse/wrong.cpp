// The next batch is written over a tensor that is still being broadcast.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor batch = Tensor::full({1024}, 1);
  Work sent = context.world().broadcast(batch, 0, {.async = true});
  if (context.rank() == 0) batch.fill_(2);
  sent.wait();
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
