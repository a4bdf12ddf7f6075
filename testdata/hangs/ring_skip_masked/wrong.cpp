// Causal ring attention: a rank has nothing to compute from the ranks behind it, and skips the exchange along with the
// computation.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const int ranks = context.world_size();
  Tensor block = Tensor::full({2}, context.rank());
  for (int step = 1; step < ranks; ++step) {
    if (step > context.rank()) continue;  // masked
    const Tensor received = Tensor::zeros({2});
    const std::vector<P2POp> exchange = {
        {.kind = P2POp::Kind::Send, .tensor = block, .peer = (context.rank() + 1) % ranks},
        {.kind = P2POp::Kind::Recv, .tensor = received, .peer = (context.rank() + ranks - 1) % ranks}};
    context.world().batch(exchange).wait();
    block = received;
  }
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
