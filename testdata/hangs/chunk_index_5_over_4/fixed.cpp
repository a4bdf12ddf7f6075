// A rank without a piece holds an empty one.
#include <algorithm>

#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor weight = Tensor::arange(10).reshape({5, 2});
  const int64_t rows_each = (weight.size(0) + context.world_size() - 1) / context.world_size();
  const int64_t begin = std::min<int64_t>(context.rank() * rows_each, weight.size(0));
  const int64_t end = std::min<int64_t>(begin + rows_each, weight.size(0));
  const Tensor mine = weight.narrow(0, begin, end - begin);
  const Tensor rows = Tensor::full({1}, static_cast<double>(mine.size(0)));
  context.world().all_reduce(rows);
  expect("the rows of all ranks", rows.item(), 5);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
