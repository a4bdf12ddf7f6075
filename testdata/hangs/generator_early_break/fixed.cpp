// Every rank drains the iterator, and keeps what it needs.
#include "testdata/hangs/program.h"

using namespace hangs;

namespace {

class WeightIterator {
 public:
  explicit WeightIterator(ProcessGroup& group) : group_(group) {}
  bool next(Tensor& weight) {
    if (count_ == 3) return false;
    weight = Tensor::full({2}, group_.rank() == 0 ? count_ : -1);
    ++count_;
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
  double kept = 0;
  for (Tensor weight; weights.next(weight);)
    if (context.rank() == 0 || kept == 0) kept += weight.item() + 1;
  context.world().barrier();
  expect("what this rank keeps", kept, context.rank() == 0 ? 6 : 1);
}

int main(int argc, char** argv) { return run_program(argc, argv, 2, body); }
