// Even ranks send first, odd ones receive first.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const int peer = 1 - context.rank();
  const Tensor mine = Tensor::full({4}, context.rank());
  const Tensor theirs = Tensor::zeros({4});
  if (context.rank() % 2 == 0) {
    context.world().send(mine, peer);
    context.world().recv(theirs, peer);
  } else {
    context.world().recv(theirs, peer);
    context.world().send(mine, peer);
  }
  expect("what the peer sent", theirs.item(), peer);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body, {.mode = Mode::Synchronous}); }
