#include "runtime/group/threads/thread_group.h"

#include <algorithm>
#include <thread>

#include "runtime/group/collectives/exchange.h"
#include "runtime/group/threads/collective_work.h"
#include "runtime/group/threads/pause.h"
#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

ThreadGroup::ThreadGroup(ThreadWorld& world, GroupInfo info)
    : world_(world), info_(std::move(info)), cursors_(info_.size()), mailboxes_(info_.size()) {
  Segment& first = fresh_segment(1);
  for (Cursor& each : cursors_) each.segment = &first;
}

ThreadGroup::~ThreadGroup() = default;

Segment& ThreadGroup::fresh_segment(uint64_t first_sequence) {
  if (unused_.empty()) {
    segments_.push_back(std::make_unique<Segment>(info_.size()));
    unused_.push_back(segments_.back().get());
  }
  Segment& segment = *unused_.back();
  unused_.pop_back();
  segment.reset(first_sequence);
  return segment;
}

void ThreadGroup::release(Segment& segment) {
  const auto lock = lock_patiently(mutex_);
  if (--segment.users == 0) unused_.push_back(&segment);
}

// The one lock of the fast path, taken once a segment.
void ThreadGroup::advance(int member) {
  Cursor& mine = cursor(member);
  Segment& old = *mine.segment;
  {
    const auto lock = lock_patiently(mutex_);
    if (!old.next) old.next = &fresh_segment(old.entries.back().sequence + 1);
    mine.segment = old.next;
    mine.next_entry = 0;
  }
  reap(member);
  release(old);
}

// Completes asynchronous operations that nobody has waited for and that can be completed.
void ThreadGroup::reap(int member) {
  const std::vector<std::shared_ptr<CollectiveWork>> works = cursor(member).outstanding;
  for (const auto& work : works) work->complete_if_ready();
}

void ThreadGroup::forget(int member, const CollectiveWork& work) {
  std::erase_if(cursor(member).outstanding, [&](const auto& other) { return other.get() == &work; });
}

void ThreadGroup::forget_all() {
  for (Cursor& each : cursors_) each.outstanding.clear();
}

ThreadGroup::Place ThreadGroup::next_place(int member) {
  Cursor& mine = cursor(member);
  if (mine.next_entry == Segment::kEntries) advance(member);
  return {mine.segment, &mine.segment->entries[mine.next_entry++]};
}

// Compares this member's posting with every one that is there. A member publishes first and compares then, so that of
// two that come at once at least one sees the other.
bool ThreadGroup::agrees(int member, const Entry& entry) const {
  const auto me = static_cast<size_t>(member);
  const Signature& mine = entry.postings[me].signature;
  for (size_t other = 0; other < entry.postings.size(); ++other) {
    if (other == me || !entry.postings[other].posted.load(std::memory_order_seq_cst)) continue;
    if (!difference(mine, entry.postings[other].signature).empty()) return false;
    if (mine.op == OpType::AllToAll && !pair_difference(entry.postings, me, other).empty()) return false;
  }
  return true;
}

void ThreadGroup::wake_others(int member) {
  for (size_t i = 0; i < info_.size(); ++i)
    if (static_cast<int>(i) != member) world_.watchdog().wake(info_.seat(static_cast<int>(i)));
}

Recorder& ThreadGroup::recorder(int member) const { return world_.recorder(info_.global_rank(member)); }

uint64_t ThreadGroup::post(int member, Entry& entry, const Call& call) {
  Posting& mine = entry.postings[static_cast<size_t>(member)];
  lay_open(call, mine);
  const uint64_t record = recorder(member).begin(info_.id, entry.sequence, call, info_.global_rank(call.root));
  mine.posted.store(true, std::memory_order_seq_cst);
  const bool agreed = agrees(member, entry);
  if (!agreed) entry.arrived.fetch_or(Entry::kDisputed, std::memory_order_seq_cst);
  const uint32_t before = entry.arrived.fetch_add(1, std::memory_order_seq_cst);
  if (before + 1 == info_.size()) wake_others(member);
  if (!agreed) world_.watchdog().note({.group = &info_, .entry = &entry, .send = nullptr, .recv = nullptr});
  return record;
}

// Gives up an entry, unless all have come to it: then others may already read this member's tensors.
static bool abandon(Entry& entry) {
  uint32_t seen = entry.arrived.load(std::memory_order_seq_cst);
  while (seen != entry.postings.size())
    if (entry.arrived.compare_exchange_weak(seen, seen | Entry::kAbandoned, std::memory_order_seq_cst)) return true;
  return false;
}

void ThreadGroup::await(int member, Entry& entry, std::chrono::milliseconds timeout) {
  for (int spins = world_.patience(); spins > 0; --spins) {
    if (entry.all_arrived()) return;
    pause_or_yield(spins);
  }
  const WaitFor wait{.group = &info_, .member = member, .entry = &entry};
  Watchdog& watchdog = world_.watchdog();
  const Watchdog::Outcome outcome = watchdog.wait(info_.seat(member), {&wait, 1}, world_.deadline(timeout));
  if (outcome == Watchdog::Outcome::Ready) return;
  if (outcome == Watchdog::Outcome::TimedOut) watchdog.time_out(info_.seat(member), {&wait, 1});
  if (abandon(entry)) throw RankError(watchdog.error());
}

void ThreadGroup::blame_reuse(int member, const Call& call, uint64_t sequence, Site at) {
  RankState held{.rank = info_.global_rank(member), .op = call.op, .group = info_.name, .sequence = sequence,
                 .detail = describe(signature_of(call), info_.global_rank(call.root)), .site = call.site};
  world_.watchdog().buffer_reused(held, at);
  throw RankError(world_.watchdog().error());
}

static bool all_inlined(const Entry& entry) {
  return std::all_of(entry.postings.begin(), entry.postings.end(), [](const Posting& posting) { return posting.inlined; });
}

static void take_share(Entry& entry, size_t share) {
  if (entry.postings[share].claimed.exchange(true, std::memory_order_acq_rel)) return;
  run_share(entry.postings, share);
  entry.done.fetch_add(1, std::memory_order_acq_rel);
}

void ThreadGroup::finish(int member, Entry& entry) {
  if (all_inlined(entry)) return deliver_to(entry.postings, static_cast<size_t>(member));
  take_share(entry, static_cast<size_t>(member));
  const auto finished = [&] { return entry.done.load(std::memory_order_acquire) == info_.size(); };
  for (int spins = world_.patience(); spins > 0 && !finished(); --spins) pause_or_yield(spins);
  // Some other member does not run, or has not looked yet: do its share for it.
  for (size_t share = 0; share < info_.size() && !finished(); ++share) take_share(entry, share);
  while (!finished()) std::this_thread::yield();
}

// The others have read this member's next posting when it was last used; to write it their caches must give it up. Asked
// for now, that is done while the caller computes.
void ThreadGroup::fetch_next(int member) {
  const Cursor& mine = cursor(member);
  if (mine.next_entry == Segment::kEntries) return;
  const Posting& next = mine.segment->entries[mine.next_entry].postings[static_cast<size_t>(member)];
  __builtin_prefetch(&next, 1);
  __builtin_prefetch(&next.in, 1);
  __builtin_prefetch(next.payload, 1);
}

uint64_t ThreadGroup::run(int member, const Call& call) {
  Entry& entry = *next_place(member).entry;
  const uint64_t record = post(member, entry, call);
  await(member, entry, call.options.timeout);
  recorder(member).started(record);
  finish(member, entry);
  recorder(member).completed(record);
  fetch_next(member);
  return entry.sequence;
}

std::shared_ptr<CollectiveWork> ThreadGroup::start(int member, const Call& call) {
  const Place place = next_place(member);
  {
    const auto lock = lock_patiently(mutex_);
    ++place.segment->users;
  }
  auto work = std::make_shared<CollectiveWork>(*this, member, place, call);
  cursor(member).outstanding.push_back(work);
  work->set_record(post(member, *place.entry, work->call()));
  return work;
}

}  // namespace ranklint::runtime
