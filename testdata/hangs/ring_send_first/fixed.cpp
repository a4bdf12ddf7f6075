// Sending and receiving are one batch.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const int next = (context.rank() + 1) % 3;
  const int previous = (context.rank() + 2) % 3;
  const Tensor mine = Tensor::full({4}, context.rank());
  const Tensor theirs = Tensor::zeros({4});
  context.world()
      .batch({{.kind = P2POp::Kind::Send, .tensor = mine, .peer = next}, {.kind = P2POp::Kind::Recv, .tensor = theirs, .peer = previous}})
      .wait();
  expect("what came from the left", theirs.item(3), previous);
}

int main(int argc, char** argv) { return run_program(argc, argv, 3, body, {.mode = Mode::Synchronous}); }
