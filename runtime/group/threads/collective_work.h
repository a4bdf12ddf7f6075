// An asynchronous collective. It keeps handles of the tensors and copies of the names, so that they live as long as other
// members may look at them, whatever the caller does.
#pragma once

#include <string>
#include <vector>

#include "runtime/group/threads/thread_group.h"
#include "runtime/group/work.h"

namespace ranklint::runtime {

class CollectiveWork final : public WorkState {
 public:
  CollectiveWork(ThreadGroup& group, int member, ThreadGroup::Place place, const Call& call);

  void wait(std::chrono::milliseconds timeout, Site site) override;
  bool test() override;
  OpType op() const override { return op_; }
  uint64_t sequence() const override { return sequence_; }

  Call call() const;  // as it was made, looking at what this object keeps
  void complete_if_ready();

 private:
  void complete();

  ThreadGroup& group_;
  int member_;
  ThreadGroup::Place place_;
  Call call_;
  std::vector<Tensor> in_, out_;
  std::string name_, implicit_in_;
  OpType op_;
  uint64_t sequence_;
  bool complete_ = false;
};

}  // namespace ranklint::runtime
