// Rank 0 decodes without the others, and all leave together.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor latent = Tensor::full({3}, context.rank());
  context.world().all_reduce(latent);
  double decoded = 0;
  if (context.rank() == 0)
    for (int piece = 0; piece < 3; ++piece) decoded += latent.item(piece);
  context.world().barrier();
  expect("what was decoded", decoded, context.rank() == 0 ? 9 : 0);
}

int main(int argc, char** argv) { return run_program(argc, argv, 3, body); }
