// The handle of an operation under way (c10d's Work). Until wait() has returned, its tensors belong to the operation.
// Copies are the same operation, and to wait for it again does nothing. It belongs to its rank: used by one thread at a
// time. It may be dropped without a wait, but what has not been met when all ranks have returned is a verdict
// (watch/unmet.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "runtime/group/call.h"

namespace ranklint::runtime {

class WorkState;  // the backend's

class Work {
 public:
  Work() = default;  // already complete
  explicit Work(std::shared_ptr<WorkState> state) : state_(std::move(state)) {}

  // Blocks until complete; 0 = the operation's own time-out. Throws RankError when the operation failed, when the wait
  // can not end, or at the deadline.
  void wait(std::chrono::milliseconds timeout = std::chrono::milliseconds{0}, Site site = Site::here());
  // Complete? Makes progress, and does not wait for others unless the operation can never be complete, or the world is
  // to come down: a rank that tests again and again is told what a wait would tell it. So test throws when the
  // operation failed, when its time-out has passed since the first test, and, once others that it needs have gone or
  // disagree, when the verdict about that has been reached, for which it waits. Who tests an operation says that it
  // needs it.
  bool test();
  OpType op() const;
  uint64_t sequence() const;  // the k of (group, k), from 1

 private:
  std::shared_ptr<WorkState> state_;
};

// What a backend implements per operation.
class WorkState {
 public:
  virtual ~WorkState() = default;
  virtual void wait(std::chrono::milliseconds timeout, Site site) = 0;
  virtual bool test() = 0;
  virtual OpType op() const = 0;
  virtual uint64_t sequence() const = 0;
};

}  // namespace ranklint::runtime
