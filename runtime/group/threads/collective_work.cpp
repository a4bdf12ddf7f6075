#include "runtime/group/threads/collective_work.h"

#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

CollectiveWork::CollectiveWork(ThreadGroup& group, int member, ThreadGroup::Place place, const Call& call)
    : group_(group), member_(member), place_(place), owned_(call), sequence_(place.sequence) {
  if (!group.world().options().check_buffers) return;
  guard_ = BufferGuard(call, member, BufferGuard::InPlace::StageSmall);
  if (BufferGuard::is_large_in_place(call, member))
    parts_ = std::make_unique<PartsGuard>(call.in.front(), group.info().size());
}

Call CollectiveWork::call() const { return guard_.guarded(owned_.get()); }

// Parts that are still to be carried out are looked at when they are, before this is complete.
bool CollectiveWork::is_unchanged() const {
  if (!guard_.unchanged()) return false;
  for (size_t part = 0; parts_ && part < place_.entry->postings.size(); ++part)
    if (place_.is_done(part) && !parts_->is_as_left(part)) return false;
  return true;
}

void CollectiveWork::wait(std::chrono::milliseconds timeout, Site site) {
  if (!complete_) {
    group_.await(member_, place_, timeout.count() == 0 ? owned_.get().options.timeout : timeout);
    complete();
  }
  if (changed_ || (parts_ && parts_->was_changed())) group_.blame_reuse(member_, call(), sequence_, site);
}

bool CollectiveWork::test() {
  complete_if_ready();
  if (complete_) return true;
  const ThreadWorld& world = group_.world();
  world.throw_if_ended();
  const auto timeout = world.options().in_force(owned_.get().options.timeout);
  if (!polling_.is_over(timeout, [this] { return group_.never_ends(member_, place_); })) return false;
  group_.await(member_, place_, polling_.left());
  complete();
  return true;
}

void CollectiveWork::complete_if_ready() {
  if (!complete_ && group_.is_ready(member_, place_)) complete();
}

void CollectiveWork::complete() {
  changed_ = !is_unchanged();
  group_.finish(member_, place_, record_, now_ticks());
  guard_.put_back();
  complete_ = true;
  group_.release(*place_.segment);
  group_.forget(member_, *this);  // last: it may be the last that keeps this object
}

}  // namespace ranklint::runtime
