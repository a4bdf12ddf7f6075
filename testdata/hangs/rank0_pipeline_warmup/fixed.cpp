// Rank 0 encodes the prompt with the text encoder alone, which needs no group; the pipeline is built by every rank.
#include "testdata/hangs/program.h"

using namespace hangs;

namespace {

class Pipeline {
 public:
  explicit Pipeline(ProcessGroup& sp) {
    const Tensor in = Tensor::full({4}, sp.rank());
    const Tensor out = Tensor::zeros({4});
    sp.all_to_all_single(out, in);
    for (int from = 0; from < 4; ++from) expect("what the warm-up received", out.item(from), from);
  }
};

}  // namespace

static Tensor encode() { return floats({1, 2, 3, 4}); }

static void body(RankContext& context) {
  ProcessGroup sp = context.new_group({0, 1, 2, 3}, "sp");
  const Tensor embedding = Tensor::zeros({4});
  if (context.rank() == 0) embedding.copy_(encode());
  context.world().broadcast(embedding, 0);
  const Pipeline pipeline(sp);
  expect("the last number of the embedding", embedding.item(3), 4);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
