// Whether to skip is decided together.
#include <cmath>
#include <limits>

#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const double loss = context.rank() == 2 ? std::numeric_limits<double>::quiet_NaN() : 0.5;
  const Tensor skip = Tensor::full({1}, std::isnan(loss) ? 1 : 0);
  context.world().all_reduce(skip, ReduceOp::Max);
  if (skip.item() == 0) context.world().all_reduce(Tensor::full({8}, 1));
  const Tensor ranks = Tensor::full({1}, 1);
  context.world().all_reduce(ranks);
  expect("the ranks that come to the end", ranks.item(), 4);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
