#include "runtime/group/threads/messages_work.h"

#include <algorithm>

#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

MessagesWork::MessagesWork(ThreadGroup& group, int member, std::chrono::milliseconds timeout,
                           std::vector<std::shared_ptr<Transfer>> transfers)
    : group_(group), member_(member), timeout_(timeout), transfers_(std::move(transfers)) {}

const Transfer* MessagesWork::find_changed() const {
  if (!group_.world().options().check_buffers) return nullptr;
  const auto changed =
      std::find_if(transfers_.begin(), transfers_.end(), [](const auto& each) { return was_changed(*each); });
  return changed == transfers_.end() ? nullptr : changed->get();
}

void MessagesWork::wait(std::chrono::milliseconds timeout, Site site) {
  if (!complete_) {
    group_.await(member_, transfers_, timeout.count() == 0 ? timeout_ : timeout);
    complete();
  }
  if (changed_) group_.blame_reuse(member_, call_of(*changed_), changed_->sequence, site);
}

bool MessagesWork::test() {
  if (complete_) return true;
  if (!group_.is_ready(transfers_)) {
    const ThreadWorld& world = group_.world();
    world.throw_if_ended();
    const auto never_ends = [this] { return group_.never_ends(member_, transfers_); };
    if (!polling_.is_over(world.options().in_force(timeout_), never_ends)) return false;
    group_.await(member_, transfers_, polling_.left());
  }
  complete();
  return true;
}

void MessagesWork::complete() {
  changed_ = find_changed();
  group_.finish(member_, transfers_);
  complete_ = true;
}

}  // namespace ranklint::runtime
