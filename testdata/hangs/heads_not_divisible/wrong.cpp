// 8 heads do not divide over 3 ranks. The check stands on the path of text tokens, which only rank 0 takes: it fails there,
// and the others wait in the exchange of heads.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const int heads = 8;
  const int ranks = context.world_size();
  const bool has_text = context.rank() == 0;
  if (has_text && heads % ranks != 0) fail(ErrorKind::Unsupported, "8 heads can not be divided over 3 ranks");
  const Tensor in = Tensor::zeros({6});
  context.world().all_to_all_single(Tensor::zeros({6}), in);
}

int main(int argc, char** argv) { return run_program(argc, argv, 3, body); }
