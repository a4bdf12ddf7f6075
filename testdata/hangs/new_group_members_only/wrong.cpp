// Making a group is a call of the whole world, not of its members.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  if (context.rank() < 2) {
    ProcessGroup encoder = context.new_group({0, 1}, "encoder");
    encoder.all_reduce(Tensor::full({1}, 1));
  }
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
