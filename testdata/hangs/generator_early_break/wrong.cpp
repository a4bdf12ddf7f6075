// The weights come from an iterator that broadcasts each of them. Rank 1 has what it needs after the first and stops.
#include "testdata/hangs/program.h"

using namespace hangs;

namespace {

class WeightIterator {
 public:
  explicit WeightIterator(ProcessGroup& group) : group_(group) {}
  bool next(Tensor& weight) {
    if (count_ == 3) return false;
    weight = Tensor::full({2}, count_++);
    group_.broadcast(weight, 0);
    return true;
  }

 private:
  ProcessGroup& group_;
  int count_ = 0;
};

}  // namespace

static void body(RankContext& context) {
  ProcessGroup loading = context.new_group({0, 1}, "loading");
  WeightIterator weights(loading);
  Tensor weight;
  while (weights.next(weight))
    if (context.rank() == 1) break;
  context.world().barrier();
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
