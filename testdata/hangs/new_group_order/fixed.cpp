// All groups in one order; each rank keeps the one that it is in.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const std::vector<std::vector<int>> pairs = {{0, 1}, {2, 3}};
  ProcessGroup own;
  for (const std::vector<int>& pair : pairs) {
    ProcessGroup group = context.new_group(pair, "tp");
    if (group.is_member()) own = group;
  }
  const Tensor ranks = Tensor::full({1}, context.rank());
  own.all_reduce(ranks);
  expect("the sum of the group's ranks", ranks.item(), context.rank() < 2 ? 1 : 5);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
