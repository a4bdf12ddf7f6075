// Both sides take the tag from one place.
#include "testdata/hangs/program.h"

using namespace hangs;

constexpr int kThere = 10, kBack = 20;

static void body(RankContext& context) {
  const Tensor tensor = Tensor::full({2}, context.rank() == 0 ? 5 : 0);
  if (context.rank() == 0) {
    context.world().send(tensor, 1, kThere);
    context.world().recv(tensor, 1, kBack);
  } else {
    context.world().recv(tensor, 0, kThere);
    context.world().send(tensor, 0, kBack);
  }
  expect("what went there and back", tensor.item(1), 5);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
