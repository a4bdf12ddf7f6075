// Every rank makes the group; its members use it.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  ProcessGroup encoder = context.new_group({0, 1}, "encoder");
  const Tensor encoded = Tensor::full({1}, 1);
  if (encoder.is_member()) {
    encoder.all_reduce(encoded);
    context.world().send(encoded, context.rank() + 2);
  } else {
    context.world().recv(encoded, context.rank() - 2);
  }
  expect("what the members made", encoded.item(), 2);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
