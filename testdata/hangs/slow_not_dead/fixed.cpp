// A rank that saves for long is slow, not dead: nothing is to be said of it.
#include <thread>

#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  if (context.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(700));
  context.world().barrier();
  const Tensor ranks = Tensor::full({1}, 1);
  context.world().all_reduce(ranks);
  expect("the ranks", ranks.item(), 2);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
