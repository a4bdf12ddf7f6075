// The exchange always happens; only the computation is skipped.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const int ranks = context.world_size();
  Tensor block = Tensor::full({2}, context.rank());
  double seen = context.rank();
  for (int step = 1; step < ranks; ++step) {
    const Tensor received = Tensor::zeros({2});
    context.world()
        .batch({{.kind = P2POp::Kind::Send, .tensor = block, .peer = (context.rank() + 1) % ranks},
                {.kind = P2POp::Kind::Recv, .tensor = received, .peer = (context.rank() + ranks - 1) % ranks}})
        .wait();
    block = received;
    if (step <= context.rank()) seen += block.item();  // not masked
  }
  context.world().barrier();
  expect("the sum of the blocks that this rank sees", seen, context.rank() * (context.rank() + 1) / 2.0);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
