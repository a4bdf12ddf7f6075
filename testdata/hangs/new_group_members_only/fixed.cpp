// Every rank makes the group; its members use it.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  ProcessGroup encoder = context.new_group({0, 1}, "encoder");
  const Tensor members = Tensor::full({1}, 1);
  if (encoder.is_member()) encoder.all_reduce(members);
  context.world().barrier();
  expect("the members", members.item(), context.rank() < 2 ? 2 : 1);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
