// Two messages, two tags, and the receiver asks for a third.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor tensor = Tensor::full({2}, 5);
  if (context.rank() == 0) {
    context.world().send(tensor, 1, 10);
    context.world().recv(tensor, 1, 20);
  } else {
    context.world().recv(tensor, 0, 11);
    context.world().send(tensor, 0, 20);
  }
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
