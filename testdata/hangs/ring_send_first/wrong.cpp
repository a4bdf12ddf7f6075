// Every rank of a ring sends before it receives. With small messages it happens to work; where a send waits for its
// receive, nobody ever comes to receive.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const int next = (context.rank() + 1) % 3;
  const int previous = (context.rank() + 2) % 3;
  const Tensor mine = Tensor::full({4}, context.rank());
  const Tensor theirs = Tensor::zeros({4});
  context.world().send(mine, next);
  context.world().recv(theirs, previous);
}

int main(int argc, char** argv) { return run_program(argc, argv, 3, body, {.mode = Mode::Synchronous}); }
