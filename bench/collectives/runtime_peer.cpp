#include "bench/collectives/peer.h"
#include "runtime/group/world.h"

namespace ranklint::bench {

using namespace ranklint::runtime;

namespace {

struct Buffers {
  Tensor a, b, piece;
  std::vector<P2POp> shift;
};

Buffers make_buffers(const RankContext& context, size_t size_bytes) {
  const int size = context.world_size();
  const auto count = static_cast<int64_t>(size_bytes / sizeof(float)) / size;
  Buffers buffers{Tensor::full({count * size}, 0), Tensor::full({count * size}, 0), Tensor::full({count}, 0), {}};
  buffers.shift = {{P2POp::Kind::Send, buffers.a, (context.rank() + 1) % size},
                   {P2POp::Kind::Recv, buffers.b, (context.rank() + size - 1) % size}};
  return buffers;
}

void once(ProcessGroup& group, Op op, const Buffers& buffers) {
  switch (op) {
    case Op::AllReduce: group.all_reduce(buffers.a); return;
    case Op::AllGather: group.all_gather_into_tensor(buffers.b, buffers.piece); return;
    case Op::ReduceScatter: group.reduce_scatter_tensor(buffers.piece, buffers.a); return;
    case Op::AllToAll: group.all_to_all_single(buffers.b, buffers.a); return;
    case Op::Broadcast: group.broadcast(buffers.a, 0); return;
    case Op::RingShift: group.batch(buffers.shift); return;
    case Op::Barrier: group.barrier(); return;
  }
}

}  // namespace

double runtime_microseconds(int ranks, Op op, size_t size_bytes) {
  double best = 0;
  run_world(ranks, [&](RankContext& context) {
    pin_to_core(context.rank(), ranks);
    const Buffers buffers = make_buffers(context, size_bytes);
    const double mine =
        best_microseconds(size_bytes, [&] { context.world().barrier(); }, [&] { once(context.world(), op, buffers); });
    if (context.rank() == 0) best = mine;
  });
  return best;
}

}  // namespace ranklint::bench
