#include "runtime/group/threads/messages_work.h"

#include <algorithm>

#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

MessagesWork::MessagesWork(ThreadGroup& group, int member, std::chrono::milliseconds timeout,
                           std::vector<std::shared_ptr<Transfer>> transfers)
    : group_(group), member_(member), timeout_(timeout), transfers_(std::move(transfers)) {}

void MessagesWork::wait(std::chrono::milliseconds timeout, Site) {
  if (complete_) return;
  group_.await(member_, transfers_, group_.world().deadline(timeout.count() == 0 ? timeout_ : timeout));
  complete();
}

bool MessagesWork::test() {
  if (complete_) return true;
  const bool ready = std::all_of(transfers_.begin(), transfers_.end(), [](const auto& each) { return each->ready(); });
  if (ready) {
    complete();
  } else if (group_.world().watchdog().ended()) {
    throw RankError(group_.world().watchdog().error());
  }
  return complete_;
}

void MessagesWork::complete() {
  ThreadGroup::finish(transfers_);
  complete_ = true;
}

}  // namespace ranklint::runtime
