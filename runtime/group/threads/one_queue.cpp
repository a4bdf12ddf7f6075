#include "runtime/group/threads/one_queue.h"

#include "runtime/group/threads/thread_group.h"
#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

std::shared_ptr<QueuedCall> CallQueue::push(ThreadGroup& group, int member, std::span<const Call> calls,
                                            bool check_buffers) {
  auto queued = std::make_shared<QueuedCall>();
  queued->group = &group;
  queued->member = member;
  for (const Call& call : calls) queued->calls.emplace_back(call);
  if (check_buffers && calls.front().options.async && !is_message(calls.front().op))
    queued->guard = BufferGuard(calls.front(), member, BufferGuard::InPlace::Stage);
  for (const OwnedCall& call : queued->calls) {
    Call& asked = queued->asked.emplace_back(queued->guard.guarded(call.get()));
    asked.options.async = false;  // for the queue
  }
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(queued);
    news_.fetch_add(1, std::memory_order_seq_cst);
  }
  watchdog_.wake(seat_);
  return queued;
}

void CallQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(nullptr);
    news_.fetch_add(1, std::memory_order_seq_cst);
  }
  watchdog_.wake(seat_);
}

std::shared_ptr<QueuedCall> CallQueue::take() {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<QueuedCall> call = std::move(calls_.front());
  calls_.pop_front();
  news_.fetch_sub(1, std::memory_order_seq_cst);
  return call;
}

void CallQueue::carry_out(QueuedCall& call) {
  try {
    if (is_message(call.asked.front().op))
      call.group->exchange(call.member, call.asked);
    else
      call.sequence = call.group->run(call.member, call.asked.front());
  } catch (const RankError& error) {
    call.error = error.error();
  }
  call.done.store(1, std::memory_order_seq_cst);
  watchdog_.wake(rank_);
}

void CallQueue::run() {
  watchdog_.begin(seat_);
  for (;;) {
    const WaitFor news{.flag = &news_, .flag_seat = rank_};
    if (!is_ready(news) && watchdog_.wait(seat_, {&news, 1}, std::nullopt) != Watchdog::Outcome::Ready) break;
    const std::shared_ptr<QueuedCall> call = take();
    if (!call) break;
    carry_out(*call);
  }
  watchdog_.finished(seat_);
}

void CallQueue::abandon() { watchdog_.finished(seat_); }

void CallQueue::wait(QueuedCall& call, Deadline deadline) {
  const WaitFor wait = wait_for(call);
  const Watchdog::Outcome outcome = watchdog_.wait(rank_, {&wait, 1}, deadline);
  if (outcome == Watchdog::Outcome::TimedOut) watchdog_.time_out(rank_, {&wait, 1});
  if (!call.is_done()) throw RankError(watchdog_.error());
  if (call.error) throw RankError(*call.error);
}

bool CallQueue::never_ends(const QueuedCall& call) const {
  const WaitFor wait = wait_for(call);
  return watchdog_.never_ends({&wait, 1});
}

void QueueWork::wait(std::chrono::milliseconds timeout, Site site) {
  ThreadGroup& group = *call_->group;
  if (!complete_) {
    const auto own = call_->asked.front().options.timeout;
    queue_.wait(*call_, group.world().deadline(timeout.count() == 0 ? own : timeout));
    complete();
  }
  if (changed_) group.blame_reuse(call_->member, call_->asked.front(), call_->sequence, site);
}

bool QueueWork::test() {
  if (!call_->is_done()) {
    const ThreadWorld& world = call_->group->world();
    world.throw_if_ended();
    const auto timeout = world.options().in_force(call_->asked.front().options.timeout);
    if (!polling_.is_over(timeout, [this] { return queue_.never_ends(*call_); })) return false;
    queue_.wait(*call_, world.deadline(polling_.left()));
  }
  if (call_->error) throw RankError(*call_->error);
  if (!complete_) complete();
  return true;
}

void QueueWork::complete() {
  changed_ = !call_->guard.unchanged();
  call_->guard.put_back();
  complete_ = true;
}

}  // namespace ranklint::runtime
