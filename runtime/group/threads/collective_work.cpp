#include "runtime/group/threads/collective_work.h"

#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

CollectiveWork::CollectiveWork(ThreadGroup& group, int member, ThreadGroup::Place place, const Call& call)
    : group_(group), member_(member), place_(place), call_(call), in_(call.in.begin(), call.in.end()),
      out_(call.out.begin(), call.out.end()), name_(call.options.name), implicit_in_(call.options.implicit_in),
      op_(call.op), sequence_(place.entry->sequence) {}

Call CollectiveWork::call() const {
  Call call = call_;
  call.in = in_;
  call.out = out_;
  call.options.name = name_;
  call.options.implicit_in = implicit_in_;
  return call;
}

void CollectiveWork::wait(std::chrono::milliseconds timeout, Site) {
  if (complete_) return;
  const bool own = timeout.count() == 0;
  group_.await(member_, *place_.entry, group_.world().deadline(own ? call_.options.timeout : timeout));
  complete();
}

bool CollectiveWork::test() {
  complete_if_ready();
  if (!complete_ && group_.world().watchdog().ended()) throw RankError(group_.world().watchdog().error());
  return complete_;
}

void CollectiveWork::complete_if_ready() {
  if (!complete_ && place_.entry->all_arrived()) complete();
}

void CollectiveWork::complete() {
  group_.finish(member_, *place_.entry);
  complete_ = true;
  group_.release(*place_.segment);
  group_.forget(member_, *this);  // last: it may be the last that keeps this object
}

}  // namespace ranklint::runtime
