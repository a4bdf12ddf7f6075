// The counts are exchanged first, and room is made by them.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const std::vector<int64_t> sends = context.rank() == 0 ? std::vector<int64_t>{1, 3} : std::vector<int64_t>{1, 1};
  const Tensor counts = Tensor::zeros({2}, DType::I64);
  context.world().all_to_all_single(counts, Tensor::from(sends, {2}));
  std::vector<Tensor> in, out;
  for (int peer = 0; peer < 2; ++peer) {
    in.push_back(Tensor::full({sends[static_cast<size_t>(peer)]}, context.rank()));
    out.push_back(Tensor::full({static_cast<int64_t>(counts.item(peer))}, -1));
  }
  context.world().all_to_all(out, in);
  expect("the tokens from rank 0", static_cast<double>(out[0].numel()), context.rank() == 0 ? 1 : 3);
  expect("the last of them", out[0].item(out[0].numel() - 1), 0);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
