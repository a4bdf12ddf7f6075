// "Warm up once" with one flag for all groups: the ranks that evaluated before have set it on the evaluation's group,
// and so only the others warm up the sequence-parallel one.
#include "testdata/hangs/program.h"

using namespace hangs;

namespace {

struct WarmUp {
  bool done = false;
  void once(ProcessGroup& group) {
    if (done) return;
    group.all_reduce(Tensor::zeros({1}));
    done = true;
  }
};

}  // namespace

static void body(RankContext& context) {
  ProcessGroup eval = context.new_group({0, 1}, "eval");
  ProcessGroup sp = context.new_group({0, 1, 2, 3}, "sp");
  WarmUp warm_up;
  if (eval.is_member()) warm_up.once(eval);
  warm_up.once(sp);
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
