// A rank whose loss is not a number skips the step, and with it the reduction of the gradients: its next call meets the
// others' one before.
#include <cmath>
#include <limits>

#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const double loss = context.rank() == 2 ? std::numeric_limits<double>::quiet_NaN() : 0.5;
  if (!std::isnan(loss)) context.world().all_reduce(Tensor::full({8}, 1));
  context.world().all_reduce(Tensor::full({1}, 1));
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
