// Pad to equal pieces before, cut the padding off behind.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor tokens = Tensor::arange(10);
  const Tensor mine = tokens.chunk(3).at(static_cast<size_t>(context.rank()));
  const Tensor padded = Tensor::zeros({4});
  padded.narrow(0, 0, mine.numel()).copy_(mine);
  const Tensor gathered = Tensor::zeros({12});
  context.world().all_gather_into_tensor(gathered, padded);
  const Tensor whole = gathered.narrow(0, 0, tokens.numel());
  for (int i = 0; i < 10; ++i) expect("a token", whole.item(i), i);
}

int main(int argc, char** argv) { return run_program(argc, argv, 3, body); }
