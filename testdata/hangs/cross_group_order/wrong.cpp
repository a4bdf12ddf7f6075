// Two groups a rank, and ranks on the diagonal use them in the other order: each waits on one group for a rank that waits
// on the other.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  DeviceMesh mesh(context, {2, 2}, {"dp", "sp"});
  const Tensor gradient = Tensor::full({4}, 1);
  const Tensor heads = Tensor::zeros({4});
  const bool diagonal = mesh.coordinate(0) == mesh.coordinate(1);
  if (diagonal) mesh.group("dp").all_reduce(gradient);
  mesh.group("sp").all_to_all_single(heads, gradient.clone());
  if (!diagonal) mesh.group("dp").all_reduce(gradient);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
