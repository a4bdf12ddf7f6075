// Mode::OneQueue: a rank hands its calls to a queue, which carries them out one after another whatever group they are
// on, as the one queue of an accelerator does. Two groups used in different order then block each other although every
// call is asynchronous.
//
// The queue is a thread and has a seat of its own at the watchdog, behind those of the ranks. It is the queues that
// meet in collectives; a rank waits for its queue, and an idle queue waits for its rank.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/group/watch/buffer_guard.h"
#include "runtime/group/watch/deadline.h"
#include "runtime/group/watch/owned_call.h"
#include "runtime/group/watch/polling.h"
#include "runtime/group/watch/wait_for.h"
#include "runtime/group/work.h"

namespace ranklint::runtime {

class ThreadGroup;
class Watchdog;

struct QueuedCall {
  ThreadGroup* group = nullptr;
  int member = 0;
  std::vector<OwnedCall> calls;  // one collective, or messages that go together
  std::vector<Call> asked;       // as they are to be carried out; they look at `calls` and `guard`
  BufferGuard guard;
  uint64_t sequence = 0;  // set when done
  std::optional<Error> error;
  std::atomic<size_t> done{0};

  bool is_done() const { return done.load(std::memory_order_acquire) != 0; }
};

class CallQueue {
 public:
  CallQueue(Watchdog& watchdog, int rank, int seat) : watchdog_(watchdog), rank_(rank), seat_(seat) {}

  std::shared_ptr<QueuedCall> push(ThreadGroup& group, int member, std::span<const Call> calls, bool check_buffers);
  void close();
  void run();      // until closed and empty, or the world has ended
  void abandon();  // instead of `run`, where there is no thread for it

  // Blocks the rank until its call is carried out.
  void wait(QueuedCall& call, Deadline deadline);
  bool never_ends(const QueuedCall& call) const;  // that wait; see Watchdog

 private:
  WaitFor wait_for(const QueuedCall& call) const { return {.flag = &call.done, .flag_seat = seat_}; }
  std::shared_ptr<QueuedCall> take();
  void carry_out(QueuedCall& call);

  Watchdog& watchdog_;
  int rank_, seat_;
  std::mutex mutex_;
  std::deque<std::shared_ptr<QueuedCall>> calls_;  // null: closed
  std::atomic<size_t> news_{0};
};

class QueueWork final : public WorkState {
 public:
  QueueWork(CallQueue& queue, std::shared_ptr<QueuedCall> call) : queue_(queue), call_(std::move(call)) {}

  void wait(std::chrono::milliseconds timeout, Site site) override;
  bool test() override;
  OpType op() const override { return call_->asked.front().op; }
  uint64_t sequence() const override { return call_->is_done() ? call_->sequence : 0; }

 private:
  void complete();

  CallQueue& queue_;
  std::shared_ptr<QueuedCall> call_;
  Polling polling_;
  bool complete_ = false;
  bool changed_ = false;  // a tensor was, before it was complete; told at the wait
};

}  // namespace ranklint::runtime
