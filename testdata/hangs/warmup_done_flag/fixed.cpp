// A flag for each group: all members of a group have the same answer.
#include <set>

#include "testdata/hangs/program.h"

using namespace hangs;

namespace {

struct WarmUp {
  std::set<std::string> done;
  void once(ProcessGroup& group) {
    if (!done.insert(group.name()).second) return;
    const Tensor members = Tensor::full({1}, 1);
    group.all_reduce(members);
    expect("the members that warmed up", members.item(), group.size());
  }
};

}  // namespace

static void body(RankContext& context) {
  ProcessGroup eval = context.new_group({0, 1}, "eval");
  ProcessGroup sp = context.new_group({0, 1, 2, 3}, "sp");
  WarmUp warm_up;
  if (eval.is_member()) warm_up.once(eval);
  warm_up.once(sp);
  warm_up.once(sp);
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
