// The source is the group's first member, on every rank by the same expression.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  ProcessGroup decoder = context.new_group({2, 3}, "decoder");
  if (!decoder.is_member()) return;
  const Tensor latent = Tensor::full({2}, decoder.rank() == 0 ? 7 : 0);
  decoder.broadcast(latent, decoder.global_rank(0));
  expect("the latent", latent.item(1), 7);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
