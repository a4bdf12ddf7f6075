// Both ranks of a pair wait for the other to send.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const int peer = 1 - context.rank();
  const Tensor theirs = Tensor::zeros({4});
  context.world().recv(theirs, peer);
  context.world().send(Tensor::full({4}, context.rank()), peer);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
