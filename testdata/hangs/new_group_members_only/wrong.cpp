// Making a group is a call of the whole world, not of its members. The others wait for what the members make of it.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor encoded = Tensor::full({1}, 1);
  if (context.rank() < 2) {
    ProcessGroup encoder = context.new_group({0, 1}, "encoder");
    encoder.all_reduce(encoded);
    context.world().send(encoded, context.rank() + 2);
  } else {
    context.world().recv(encoded, context.rank() - 2);
  }
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
