// Ranks that go wrong in ways that only processes can: `faults NAME`.
#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>

#include "runtime/group/world.h"

using namespace ranklint::runtime;

namespace {

void dies(RankContext& context) {
  if (context.rank() == 1) std::raise(SIGKILL);
  context.world().barrier();
}

void exits(RankContext& context) {
  if (context.rank() == 1) std::exit(0);
  context.world().barrier();
}

void rank_0_exits(RankContext& context) {
  if (context.rank() == 0) std::exit(0);
  context.world().barrier();
}

void thread_exits(RankContext& context) {
  if (context.rank() == 1) std::thread([] { std::exit(0); }).join();
  context.world().barrier();
}

void ends_its_thread(RankContext& context) {
  if (context.rank() == 1) pthread_exit(nullptr);
  context.world().barrier();
}

// The others wait for one another in vain; this one never calls again.
void computes_for_ever(RankContext& context) {
  if (context.rank() == 2)
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  context.world().recv(Tensor::zeros({1}), 1 - context.rank());
}

void waits_for_a_slow_rank(RankContext& context) {
  if (context.rank() == 2) std::this_thread::sleep_for(std::chrono::seconds(2));
  context.world().barrier({.timeout = std::chrono::milliseconds(200)});
}

void poll(Work work) {
  while (!work.test()) std::this_thread::yield();
}

void polls_a_rank_that_returned(RankContext& context) {
  if (context.rank() != 1) poll(context.world().irecv(Tensor::zeros({1}), 1));
}

void polls_a_rank_that_threw(RankContext& context) {
  if (context.rank() == 1) throw std::runtime_error("no such shard");
  poll(context.world().all_reduce(Tensor::zeros({1}), ReduceOp::Sum, {.async = true}));
}

void polls_a_slow_rank(RankContext& context) {
  if (context.rank() == 2) std::this_thread::sleep_for(std::chrono::seconds(2));
  poll(context.world().all_reduce(Tensor::zeros({1}), ReduceOp::Sum,
                                  {.async = true, .timeout = std::chrono::milliseconds(200)}));
}

void disagrees(RankContext& context) {
  context.world().all_reduce(Tensor::zeros({4}, context.rank() == 1 ? DType::I32 : DType::F32));
}

void disagrees_in_shape(RankContext& context) {
  context.world().all_reduce(Tensor::zeros(context.rank() == 1 ? Shape{3, 2} : Shape{2, 3}));
}

void never_waits(RankContext& context) {
  const Work work = context.world().all_reduce(Tensor::zeros({4}), ReduceOp::Sum, {.async = context.rank() == 0});
  if (context.rank() == 0) context.world().recv(Tensor::zeros({4}), 1);
}

Site at(uint32_t line) { return {"src/train.py", line, "step"}; }

// Ranks 0 and 1 leave operations without a match; rank 2 leaves one that is matched, and matches one. It is late, so
// that the others have returned.
void leaves_messages(RankContext& context) {
  ProcessGroup& world = context.world();
  if (context.rank() == 0) {
    world.send(Tensor::zeros({1}), 1, 5, {}, at(10));
    world.isend(Tensor::zeros({100000}), 1, 6);
    world.isend(Tensor::zeros({100000}), 2, 7);
    world.isend(Tensor::zeros({1}), 2, 8);
  }
  if (context.rank() == 1) world.irecv(Tensor::zeros({2}), kAnySource, 9, at(11));
  if (context.rank() == 2) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    world.recv(Tensor::zeros({100000}), 0, 7);
    world.irecv(Tensor::zeros({1}), 0, 8);
  }
}

void leaves_a_collective(RankContext& context) {
  ProcessGroup pair = context.new_group({1, 2}, "pair");
  context.world().all_reduce(Tensor::zeros({100000}), ReduceOp::Sum, {.async = true});
  if (context.rank() == 2) pair.all_reduce(Tensor::zeros({4}), ReduceOp::Sum, {.async = true}, at(12));
}

// What is met may be left.
void leaves_nothing_open(RankContext& context) {
  ProcessGroup& world = context.world();
  const int next = (context.rank() + 1) % 3, previous = (context.rank() + 2) % 3;
  for (const int64_t count : {1, 100000}) {
    if (context.rank() == 2) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    world.isend(Tensor::zeros({count}), next);
    world.irecv(Tensor::zeros({count}), previous);
    world.all_reduce(Tensor::zeros({count}), ReduceOp::Sum, {.async = true});
  }
}

void throws(RankContext& context) {
  if (context.rank() == 2) throw std::runtime_error("no such shard");
  context.world().barrier();
}

void changes_a_tensor(RankContext& context, const Tensor& tensor, Work work) {
  if (context.rank() == 0) tensor.fill_(1);
  while (!work.test()) {
  }
  work.wait();
}

void changes_a_reduced_tensor(RankContext& context) {
  const Tensor tensor = Tensor::zeros({100});
  changes_a_tensor(context, tensor, context.world().all_reduce(tensor, ReduceOp::Sum, {.async = true}));
}

void changes_a_sent_tensor(RankContext& context) {
  const Tensor tensor = Tensor::zeros({100});
  if (context.rank() == 1) context.world().recv(tensor, 0);
  if (context.rank() == 0) changes_a_tensor(context, tensor, context.world().isend(tensor, 1));
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(RankContext&)> faults = {
      {"dies", dies},
      {"exits", exits},
      {"rank_0_exits", rank_0_exits},
      {"thread_exits", thread_exits},
      {"ends_its_thread", ends_its_thread},
      {"computes_for_ever", computes_for_ever},
      {"waits_for_a_slow_rank", waits_for_a_slow_rank},
      {"disagrees", disagrees},
      {"disagrees_in_shape", disagrees_in_shape},
      {"polls_a_rank_that_returned", polls_a_rank_that_returned},
      {"polls_a_rank_that_threw", polls_a_rank_that_threw},
      {"polls_a_slow_rank", polls_a_slow_rank},
      {"never_waits", never_waits},
      {"leaves_messages", leaves_messages},
      {"leaves_a_collective", leaves_a_collective},
      {"leaves_nothing_open", leaves_nothing_open},
      {"throws", throws},
      {"changes_a_reduced_tensor", changes_a_reduced_tensor},
      {"changes_a_sent_tensor", changes_a_sent_tensor}};
  const auto found = faults.find(argc > 1 ? argv[1] : "");
  return found == faults.end() ? 2 : run_program(argc - 1, argv + 1, 3, found->second);
}
