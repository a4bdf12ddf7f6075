#include "runtime/group/threads/collective_work.h"

#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

CollectiveWork::CollectiveWork(ThreadGroup& group, int member, ThreadGroup::Place place, const Call& call)
    : group_(group), member_(member), place_(place), owned_(call), sequence_(place.sequence) {
  if (group.world().options().check_buffers) guard_ = BufferGuard(call, member);
}

Call CollectiveWork::call() const { return guard_.guarded(owned_.get()); }

void CollectiveWork::wait(std::chrono::milliseconds timeout, Site site) {
  if (complete_) return;
  const bool own = timeout.count() == 0;
  group_.await(member_, place_, own ? owned_.get().options.timeout : timeout);
  if (!guard_.unchanged()) group_.blame_reuse(member_, call(), sequence_, site);
  complete();
}

bool CollectiveWork::test() {
  complete_if_ready();
  if (!complete_ && group_.world().watchdog().ended()) throw RankError(group_.world().watchdog().error());
  return complete_;
}

void CollectiveWork::complete_if_ready() {
  if (!complete_ && group_.is_ready(member_, place_)) complete();
}

void CollectiveWork::complete() {
  group_.finish(member_, place_, record_);
  guard_.put_back();
  complete_ = true;
  group_.release(*place_.segment);
  group_.forget(member_, *this);  // last: it may be the last that keeps this object
}

}  // namespace ranklint::runtime
