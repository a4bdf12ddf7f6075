// One order for all.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  DeviceMesh mesh(context, {2, 2}, {"dp", "sp"});
  const Tensor gradient = Tensor::full({4}, 1);
  const Tensor heads = Tensor::zeros({4});
  mesh.group("dp").all_reduce(gradient);
  mesh.group("sp").all_to_all_single(heads, gradient.clone());
  expect("a gradient", gradient.item(3), 2);
  expect("a head's value", heads.item(3), 2);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
