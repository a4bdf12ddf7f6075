// After the last step only rank 0 decodes, in pieces that synchronise; the others have nothing to do and leave.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor latent = Tensor::full({3}, context.rank());
  context.world().all_reduce(latent);
  if (context.rank() != 0) return;
  for (int piece = 0; piece < 2; ++piece) context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 3, body); }
