// What the body of a rank that is a thread sees of its world, and how its calls come to a group.
#pragma once

#include <memory>

#include "runtime/group/jitter.h"
#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

class ThreadBackend final : public GroupBackend, public std::enable_shared_from_this<ThreadBackend> {
 public:
  ThreadBackend(std::shared_ptr<ThreadWorld> world, ThreadGroup& group, int member, std::shared_ptr<Jitter> jitter);

  Work submit(const Call& call) override;
  Work submit_batch(std::span<const Call> calls) override;
  uint64_t run(const Call& call);  // blocking; the call's sequence number

 private:
  void begin();
  std::shared_ptr<QueuedCall> enqueue(std::span<const Call> calls);
  Work kept(std::shared_ptr<WorkState> state);
  Work through_queue(std::span<const Call> calls);

  std::shared_ptr<ThreadWorld> world_;
  ThreadGroup& group_;
  int member_;
  std::shared_ptr<Jitter> jitter_;  // one per rank
  CallQueue* queue_;                // in Mode::OneQueue
};

class ThreadContext final : public RankContext {
 public:
  ThreadContext(std::shared_ptr<ThreadWorld> world, int rank);

  int rank() const override { return rank_; }
  int world_size() const override;
  ProcessGroup& world() override { return group_; }
  ProcessGroup new_group(std::vector<int> ranks, std::string name, Site site) override;
  ProcessGroup split(int color, int key, std::string name, Site site) override;

 private:
  ProcessGroup join(ThreadGroup& group);
  ProcessGroup outside(std::vector<int> ranks, std::string name) const;
  std::shared_ptr<ThreadBackend> backend_for(ThreadGroup& group, int member);

  std::shared_ptr<ThreadWorld> world_;
  int rank_;
  std::shared_ptr<Jitter> jitter_;
  std::shared_ptr<ThreadBackend> backend_;  // of the world's group
  ProcessGroup group_;
};

}  // namespace ranklint::runtime
