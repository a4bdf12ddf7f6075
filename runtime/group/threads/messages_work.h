// Asynchronous messages: one, or a batch.
#pragma once

#include <memory>
#include <vector>

#include "runtime/group/threads/thread_group.h"
#include "runtime/group/watch/polling.h"
#include "runtime/group/work.h"

namespace ranklint::runtime {

class MessagesWork final : public WorkState {
 public:
  MessagesWork(ThreadGroup& group, int member, std::chrono::milliseconds timeout,
               std::vector<std::shared_ptr<Transfer>> transfers);

  void wait(std::chrono::milliseconds timeout, Site site) override;
  bool test() override;
  OpType op() const override { return transfers_.front()->signature.op; }
  uint64_t sequence() const override { return transfers_.front()->sequence; }

 private:
  const Transfer* find_changed() const;
  void complete();

  ThreadGroup& group_;
  int member_;
  std::chrono::milliseconds timeout_;
  Polling polling_;
  std::vector<std::shared_ptr<Transfer>> transfers_;  // at least one
  bool complete_ = false;
  const Transfer* changed_ = nullptr;  // whose tensor was changed before all were complete; told at the wait
};

}  // namespace ranklint::runtime
