// Rank 0 alone builds a pipeline to encode a prompt. Its constructor looks local, but warms up communication on the
// sequence-parallel group, while the other ranks go on to receive the embedding.
#include "testdata/hangs/program.h"

using namespace hangs;

namespace {

class Pipeline {
 public:
  explicit Pipeline(ProcessGroup& sp) : sp_(sp) { warm_up(); }
  Tensor encode() const { return floats({1, 2, 3, 4}); }

 private:
  void warm_up() {
    const Tensor in = Tensor::zeros({4});
    const Tensor out = Tensor::zeros({4});
    sp_.all_to_all_single(out, in);
    sp_.all_to_all_single(in, out);
    sp_.all_gather_into_tensor(Tensor::zeros({16}), in);
  }
  ProcessGroup& sp_;
};

}  // namespace

static void body(RankContext& context) {
  ProcessGroup sp = context.new_group({0, 1, 2, 3}, "sp");
  const Tensor embedding = Tensor::zeros({4});
  if (context.rank() == 0) {
    const Pipeline pipeline(sp);
    embedding.copy_(pipeline.encode());
  }
  context.world().broadcast(embedding, 0);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
