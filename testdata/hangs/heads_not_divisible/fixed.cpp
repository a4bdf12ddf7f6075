// What decides for all is known to all and asked by all, before anything is sent: here they fall back to gathering the
// sequence instead of exchanging heads.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  const int heads = 8;
  const int ranks = context.world_size();
  const Tensor mine = Tensor::full({2}, context.rank());
  const Tensor sequence = Tensor::zeros({6});
  if (heads % ranks == 0) context.world().all_to_all_single(sequence, sequence.clone());
  else context.world().all_gather_into_tensor(sequence, mine);
  for (int i = 0; i < 6; ++i) expect("a token's rank", sequence.item(i), i / 2);
}

int main(int argc, char** argv) { return run_program(argc, argv, 3, body); }
