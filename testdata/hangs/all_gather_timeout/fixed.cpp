// The others are told how long it may take.
#include <thread>

#include "testdata/hangs/program.h"

using namespace hangs;
using std::chrono_literals::operator""ms;

static void body(RankContext& context) {
  if (context.rank() == 0) std::this_thread::sleep_for(10ms);
  const Tensor lengths = Tensor::empty({2});
  context.world().all_gather_into_tensor(lengths, Tensor::full({1}, context.rank() + 1), {.timeout = 60'000ms});
  expect("what rank 0 gave", lengths.item(0), 1);
  expect("what rank 1 gave", lengths.item(1), 2);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
