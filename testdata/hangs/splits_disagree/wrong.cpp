// Uneven all_to_all: rank 0 sends three tokens to rank 1, which has room for two.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor one = Tensor::zeros({1});
  if (context.rank() == 0) context.world().all_to_all({one, one.clone()}, {one.clone(), Tensor::zeros({3})});
  else context.world().all_to_all({Tensor::zeros({2}), one}, {one.clone(), one.clone()});
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
