// The sender's type goes first; the receiver converts behind.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor header = Tensor::full({1}, static_cast<double>(DType::BF16), DType::I32);
  context.world().broadcast(header, 0);
  const Tensor wire = Tensor::full({4}, context.rank() == 0 ? 3 : 0, static_cast<DType>(static_cast<int>(header.item())));
  context.world().broadcast(wire, 0);
  const Tensor weight = wire.to(DType::F32);
  expect("a weight", weight.item(2), 3);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
