// One rank prepares what all gather, for longer than the others wait.
#include <thread>

#include "testdata/hangs/program.h"

using namespace hangs;
using std::chrono_literals::operator""ms;

static void body(RankContext& context) {
  if (context.rank() == 0) std::this_thread::sleep_for(1500ms);
  const Tensor lengths = Tensor::empty({2});
  context.world().all_gather_into_tensor(lengths, Tensor::full({1}, context.rank()), {.timeout = 200ms});
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
