// The source of a broadcast in the group of ranks 2 and 3: the one that sends names itself, the one that receives counts
// from the other end.
#include "testdata/hangs/program.h"

using namespace hangs;

static void body(RankContext& context) {
  ProcessGroup decoder = context.new_group({2, 3}, "decoder");
  if (!decoder.is_member()) return;
  const bool sends = decoder.rank() == 0;
  const int source = sends ? context.rank() : decoder.global_rank(decoder.size() - 1);
  decoder.broadcast(Tensor::full({2}, sends ? 7 : 0), source);
}

int main(int argc, char** argv) { return run_program(argc, argv, 4, body); }
