// The next batch has memory of its own.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const Tensor batch = Tensor::full({1024}, context.rank() == 0 ? 1 : 0);
  Work sent = context.world().broadcast(batch, 0, {.async = true});
  const Tensor next = Tensor::full({1024}, 2);
  sent.wait();
  expect("the batch that was sent", batch.item(1023), 1);
  expect("the next batch", next.item(1023), 2);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
