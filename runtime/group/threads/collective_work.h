// An asynchronous collective. It keeps handles of the tensors and copies of the names, so that they live as long as
// other members may look at them, whatever the caller does.
#pragma once

#include "runtime/group/threads/parts_guard.h"
#include "runtime/group/threads/thread_group.h"
#include "runtime/group/watch/buffer_guard.h"
#include "runtime/group/watch/owned_call.h"
#include "runtime/group/watch/polling.h"
#include "runtime/group/work.h"

namespace ranklint::runtime {

class CollectiveWork final : public WorkState {
 public:
  CollectiveWork(ThreadGroup& group, int member, ThreadGroup::Place place, const Call& call);

  void wait(std::chrono::milliseconds timeout, Site site) override;
  bool test() override;
  OpType op() const override { return owned_.get().op; }
  uint64_t sequence() const override { return sequence_; }

  Call call() const;  // as it is to be made, looking at what this object keeps
  const ThreadGroup::Place& place() const { return place_; }
  PartsGuard* parts_guard() const { return parts_.get(); }
  void set_record(uint64_t id) { record_ = id; }
  void complete_if_ready();

 private:
  bool is_unchanged() const;
  void complete();

  ThreadGroup& group_;
  int member_;
  ThreadGroup::Place place_;
  OwnedCall owned_;
  BufferGuard guard_;
  Polling polling_;
  std::unique_ptr<PartsGuard> parts_;  // of a large reduction in place
  uint64_t sequence_;
  uint64_t record_ = 0;
  bool complete_ = false;
  bool changed_ = false;  // a tensor was, before it was complete; told at the wait
};

}  // namespace ranklint::runtime
