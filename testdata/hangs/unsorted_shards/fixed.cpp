// Sorted, the list is the same everywhere.
#include <algorithm>

#include "testdata/hangs/program.h"

using namespace hangs;

static std::vector<std::string> list_folder(int rank) {
  std::vector<std::string> names = {"layer.1", "layer.0"};
  if (rank == 1) std::reverse(names.begin(), names.end());
  return names;
}

static void body(RankContext& context) {
  std::vector<std::string> names = list_folder(context.rank());
  std::sort(names.begin(), names.end());
  for (size_t i = 0; i < names.size(); ++i) {
    const Tensor weight = Tensor::full({4}, context.rank() == 0 ? static_cast<double>(i) : -1);
    context.world().broadcast(weight, 0, {.name = names[i]});
    expect("a weight of " + names[i], weight.item(), static_cast<double>(i));
  }
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
