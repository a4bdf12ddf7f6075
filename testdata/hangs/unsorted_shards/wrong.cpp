// The shards come in the order of a directory listing, which is another one on another node. Their shapes are alike, so only
// the names that the calls carry show that two files are mixed.
#include <algorithm>

#include "testdata/hangs/program.h"

using namespace hangs;

static std::vector<std::string> list_folder(int rank) {
  std::vector<std::string> names = {"layer.1", "layer.0"};
  if (rank == 1) std::reverse(names.begin(), names.end());
  return names;
}

static void body(RankContext& context) {
  for (const std::string& name : list_folder(context.rank()))
    context.world().broadcast(Tensor::zeros({4}), 0, {.name = name});
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
