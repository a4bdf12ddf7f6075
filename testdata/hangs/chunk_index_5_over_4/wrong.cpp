// `chunk` cuts 5 rows over 4 ranks into 2, 2 and 1: there are three pieces, and rank 3 takes the fourth.
#include "testdata/hangs/program.h"

using namespace hangs;

static Tensor piece_of(const std::vector<Tensor>& pieces, int rank) {
  if (rank >= static_cast<int>(pieces.size())) fail(ErrorKind::InvalidArgument, "piece 3 of 3 pieces");
  return pieces[static_cast<size_t>(rank)];
}

static void body(RankContext& context) {
  const Tensor weight = Tensor::arange(10).reshape({5, 2});
  const Tensor mine = piece_of(weight.chunk(context.world_size()), context.rank());
  const Tensor rows = Tensor::full({1}, static_cast<double>(mine.size(0)));
  context.world().all_reduce(rows);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
