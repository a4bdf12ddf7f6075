#include "runtime/group/threads/messages_work.h"

#include <algorithm>

#include "runtime/group/threads/thread_world.h"
#include "runtime/group/watch/fingerprint.h"

namespace ranklint::runtime {

MessagesWork::MessagesWork(ThreadGroup& group, int member, std::chrono::milliseconds timeout,
                           std::vector<std::shared_ptr<Transfer>> transfers)
    : group_(group), member_(member), timeout_(timeout), transfers_(std::move(transfers)) {}

static Call call_of(const Transfer& send) {
  return {.op = OpType::Send, .in = {&send.tensor, 1}, .root = send.to, .tag = send.signature.tag, .options = {},
          .site = send.signature.site};
}

void MessagesWork::check_unchanged(Site at) {
  if (!group_.world().options().check_buffers) return;
  for (const auto& each : transfers_)
    if (each->signature.op == OpType::Send && fingerprint(each->data, each->size_bytes) != each->fingerprint)
      group_.blame_reuse(member_, call_of(*each), each->sequence, at);
}

void MessagesWork::wait(std::chrono::milliseconds timeout, Site site) {
  if (complete_) return;
  group_.await(member_, transfers_, timeout.count() == 0 ? timeout_ : timeout);
  check_unchanged(site);
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
  group_.finish(member_, transfers_);
  complete_ = true;
}

}  // namespace ranklint::runtime
