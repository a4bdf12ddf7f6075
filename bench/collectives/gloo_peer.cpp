// gloo, as torch.distributed uses it on processors: TCP over the loopback interface, here between threads.
#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/hash_store.h>
#include <gloo/transport/tcp/device.h>

#include <thread>
#include <vector>

#include "bench/collectives/peer.h"

namespace ranklint::bench {

namespace {

class Rank {
 public:
  Rank(gloo::rendezvous::Store& store, int rank, int ranks, size_t count)
      : context_(std::make_shared<gloo::rendezvous::Context>(rank, ranks)), a_(count, 1), b_(count, 0) {
    gloo::transport::tcp::attr attributes;
    attributes.hostname = "127.0.0.1";
    context_->setTimeout(std::chrono::seconds(60));
    auto device = gloo::transport::tcp::CreateDevice(attributes);
    context_->connectFullMesh(store, device);
  }

  void barrier() {
    gloo::BarrierOptions options(context_);
    options.setTag(tag_++);
    gloo::barrier(options);
  }

  void once(Op op) {
    switch (op) {
      case Op::AllReduce: return all_reduce();
      case Op::AllGather: return move<gloo::AllgatherOptions>(gloo::allgather, a_.size() / ranks());
      case Op::AllToAll: return move<gloo::AlltoallOptions>(gloo::alltoall, a_.size());
      case Op::Broadcast: return broadcast();
      case Op::Barrier: return barrier();
      case Op::ReduceScatter:
      case Op::RingShift: return;
    }
  }

 private:
  size_t ranks() const { return static_cast<size_t>(context_->size); }

  void all_reduce() {
    gloo::AllreduceOptions options(context_);
    options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
    options.setInput(a_.data(), a_.size());
    options.setOutput(b_.data(), b_.size());
    options.setReduceFunction(static_cast<void (*)(void*, const void*, const void*, size_t)>(&gloo::sum<float>));
    options.setTag(tag_++);
    gloo::allreduce(options);
  }

  template <typename Options>
  void move(void (*operation)(Options&), size_t input) {
    Options options(context_);
    options.setInput(a_.data(), input);
    options.setOutput(b_.data(), b_.size());
    options.setTag(tag_++);
    operation(options);
  }

  void broadcast() {
    gloo::BroadcastOptions options(context_);
    options.setOutput(a_.data(), a_.size());
    options.setRoot(0);
    options.setTag(tag_++);
    gloo::broadcast(options);
  }

  std::shared_ptr<gloo::rendezvous::Context> context_;
  std::vector<float> a_, b_;
  uint32_t tag_ = 1;
};

}  // namespace

std::optional<double> gloo_microseconds(int ranks, Op op, size_t size_bytes) {
  if (op == Op::ReduceScatter || op == Op::RingShift) return std::nullopt;
  gloo::rendezvous::HashStore store;
  const size_t count = size_bytes / sizeof(float) / static_cast<size_t>(ranks) * static_cast<size_t>(ranks);
  double best = 0;
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank)
      threads.emplace_back([&, rank] {
        Rank self(store, rank, ranks, count);
        // A call takes a thousand times longer than ours: few are enough.
        const double mine =
            best_microseconds(std::max(size_bytes, size_t{4096}), [&] { self.barrier(); }, [&] { self.once(op); }, 9);
        if (rank == 0) best = mine;
      });
  }
  return best;
}

}  // namespace ranklint::bench
