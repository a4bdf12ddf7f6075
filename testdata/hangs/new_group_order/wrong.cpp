// Each rank makes its own group first: the k-th group of one rank is not the k-th of another.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const std::vector<std::vector<int>> pairs = {{0, 1}, {2, 3}};
  const size_t mine = static_cast<size_t>(context.rank() / 2);
  ProcessGroup own = context.new_group(pairs[mine], "tp");
  context.new_group(pairs[1 - mine], "tp");
  own.barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
