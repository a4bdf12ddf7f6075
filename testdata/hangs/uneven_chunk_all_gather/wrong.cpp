// 10 tokens cut over 3 ranks are 4, 4 and 2. all_gather_into_tensor takes equal pieces, and rank 2 gives fewer.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor tokens = Tensor::arange(10);
  const Tensor mine = tokens.chunk(3).at(static_cast<size_t>(context.rank()));
  context.world().all_gather_into_tensor(Tensor::zeros({3 * mine.numel()}), mine);
}

int main(int argc, char** argv) { return run_program(argc, argv, 3, body); }
