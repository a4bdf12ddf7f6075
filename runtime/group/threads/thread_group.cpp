#include "runtime/group/threads/thread_group.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "runtime/group/collectives/operations.h"
#include "runtime/group/fetch.h"
#include "runtime/group/threads/collective_work.h"
#include "runtime/group/threads/pause.h"
#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

ThreadGroup::ThreadGroup(ThreadWorld& world, GroupInfo info)
    : world_(world), info_(std::move(info)), cursors_(info_.size()), segments_(info_.size()) {
  for (size_t i = 0; i < info_.size(); ++i) {
    cursors_[i].segment = &segments_.first();
    cursors_[i].recorder = &world_.recorder(info_.ranks[i]);
    mailboxes_.emplace_back(static_cast<int>(i), info_.size());
  }
}

ThreadGroup::~ThreadGroup() = default;

// To the segment that was made ready two calls before; that from which the member comes is handed back when it has
// time. Completing what is outstanding may throw, and so comes before anything changes.
void ThreadGroup::advance(int member) {
  reap(member);
  Cursor& mine = cursor(member);
  mine.left = std::exchange(mine.segment, &segments_.after(*mine.segment));
}

void ThreadGroup::release_left(int member) {
  if (Segment* const left = std::exchange(cursor(member).left, nullptr)) segments_.release(*left);
}

// Completes asynchronous operations that nobody has waited for and that can be completed.
void ThreadGroup::reap(int member) {
  if (cursor(member).outstanding.empty()) return;
  const std::vector<std::shared_ptr<CollectiveWork>> works = cursor(member).outstanding;
  for (const auto& work : works) work->complete_if_ready();
}

void ThreadGroup::forget(int member, const CollectiveWork& work) {
  std::erase_if(cursor(member).outstanding, [&](const auto& other) { return other.get() == &work; });
}

void ThreadGroup::add_unmet(std::vector<Unmet>& all) {
  for (size_t i = 0; i < info_.size(); ++i) {
    const int member = static_cast<int>(i);
    for (const auto& work : cursor(member).outstanding) {
      const WaitFor wait = wait_for(member, work->place());
      const bool posted = wait.entry->has_posted(i, wait.sequence);  // else the call has thrown
      if (posted && !runtime::is_ready(wait)) add(all, unmet_of(wait));
    }
    for (const Mailbox::End& end : mailbox(member).unmet()) add(all, unmet_of(info_, *end));
  }
}

void ThreadGroup::forget_all() {
  for (Cursor& each : cursors_) each.outstanding.clear();
}

ThreadGroup::Place ThreadGroup::next_place(int member) {
  Cursor& mine = cursor(member);
  if (mine.collectives > 0 && mine.collectives % Segment::kEntries == 0) advance(member);
  const uint64_t sequence = ++mine.collectives;
  return {mine.segment, &mine.segment->entry_of(sequence), sequence};
}

void ThreadGroup::wake_others(int member) {
  for (size_t i = 0; i < info_.size(); ++i)
    if (static_cast<int>(i) != member) world_.watchdog().wake(info_.seat(static_cast<int>(i)));
}

void ThreadGroup::dispute(const Place& place) {
  place.entry->disputed.store(true, std::memory_order_seq_cst);
  world_.watchdog().note({.group = &info_, .entry = place.entry, .sequence = place.sequence});
}

// What a member reads of another's payload: a piece of it, where each of the others has one for each.
static ByteRange read_by(Members members) {
  const Face& mine = members.mine();
  const size_t size_bytes = mine.in.whole.size_bytes;
  const OpType op = mine.terms.op;
  if ((op != OpType::AllToAll && op != OpType::ReduceScatter) || mine.in.is_list()) return {0, size_bytes};
  const size_t each_bytes = equal_piece(size_bytes, members.size());
  return {members.me() * each_bytes, each_bytes};
}

// Asks for what a member reads of another's posting after its first line, so that, if the other has come already, all
// of it is on its way at the same time.
static void fetch_rest(Members members, const Posting& other, bool from_root, ByteRange read) {
  const OpType op = members.terms().op;
  if (!members.mine().is_inlined()) {
    if (op == OpType::Gather && from_root) fetch_to_read(&other.out);
    return;
  }
  if ((op == OpType::Broadcast || op == OpType::Scatter) && !from_root) return;
  if ((op == OpType::Reduce || op == OpType::Gather) && members.me() != root_of(members)) return;
  fetch_to_read(other.payload + read.begin, read.size);
}

// What keeps others from touching this member's tensors: takes the shares that nobody has taken, and waits for the
// others.
static void give_up(const ThreadGroup::Place& place) {
  for (Posting& share : place.entry->postings) {
    if (share.claimed.exchange(place.sequence, std::memory_order_acq_rel) != place.sequence)
      share.given_up.store(true, std::memory_order_release);
    while (share.done.load(std::memory_order_acquire) != place.sequence &&
           !share.given_up.load(std::memory_order_acquire))
      std::this_thread::yield();
  }
}

// What a member does between publishing and looking, since nobody waits for it: who looks at once takes away a line
// that its owner is about to write.
uint64_t ThreadGroup::note(int member, const Place& place, const Call& call) {
  describe(call, place.sequence, place.entry->postings[static_cast<size_t>(member)]);
  cursor(member).looked = now_ticks();
  const uint64_t record =
      recorder(member).begin(info_.id, place.sequence, call, info_.global_rank(call.root), cursor(member).looked);
  fetch_ahead(member, place, call.op, call.in.empty() ? 0 : call.in.front().size_bytes());
  release_left(member);
  return record;
}

// A member publishes first and looks then, so that of two that come at once at least one sees the other, and the last
// one all; the fence keeps the look from overtaking.
ThreadGroup::Posted ThreadGroup::post(int member, const Place& place, const Call& call, PartsGuard* guard) {
  const auto me = static_cast<size_t>(member);
  const std::span<Posting> postings = place.entry->postings;
  lay_open(call, me, postings[me]);
  postings[me].guard = guard;
  postings[me].posted.store(place.sequence, std::memory_order_release);
  uint64_t record = 0;
  try {
    record = note(member, place, call);
  } catch (...) {  // there is no memory for it, and others may be at this member's tensors by now
    give_up(place);
    throw;
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const Members members = place.members(member);
  const ByteRange read = read_by(members);
  bool all_here = true;
  bool agreed = true;
  for (size_t other = 0; other < postings.size(); ++other) {
    if (other == me) continue;
    fetch_rest(members, postings[other], other == root_of(members), read);
    const bool here = place.entry->has_posted(other, place.sequence);
    all_here = all_here && here;
    agreed = agreed && (!here || agrees(members, other));
  }
  if (all_here) wake_others(member);
  if (!agreed) dispute(place);
  return {.record = record, .all_agree = all_here && agreed && postings.size() <= 2};
}

// The clock is read while there is nothing else to do, and what it says is when the call was complete. The first looks
// rest no longer than that takes: a pause is longer.
static constexpr int kLooksByTheClock = 64;

bool ThreadGroup::spin(int member, const Place& place) {
  Cursor& mine = cursor(member);
  Crowding& crowding = mine.crowding;
  const int patience = crowding.patience(world_.patience());
  int left = patience;
  bool yielded = false;
  for (size_t other = 0; other < info_.size(); ++other) {
    if (other == static_cast<size_t>(member)) continue;
    for (; !place.entry->has_posted(other, place.sequence); --left) {
      if (left <= 0) return false;
      if (patience - left >= kLooksByTheClock) yielded = pause_or_yield(left) || yielded;
      mine.looked = now_ticks();
    }
  }
  crowding.waited(yielded);
  return true;
}

WaitFor ThreadGroup::wait_for(int member, const Place& place) const {
  return {.group = &info_, .member = member, .entry = place.entry, .sequence = place.sequence};
}

void ThreadGroup::sleep(int member, const Place& place, std::chrono::milliseconds timeout) {
  const WaitFor wait = wait_for(member, place);
  Watchdog& watchdog = world_.watchdog();
  const Watchdog::Outcome outcome = watchdog.wait(info_.seat(member), {&wait, 1}, world_.deadline(timeout));
  if (outcome == Watchdog::Outcome::Ready) return;
  if (outcome == Watchdog::Outcome::TimedOut) watchdog.time_out(info_.seat(member), {&wait, 1});
  if (runtime::is_ready(wait)) return;
  give_up(place);
  throw RankError(watchdog.error());
}

void ThreadGroup::await(int member, const Place& place, std::chrono::milliseconds timeout) {
  if (!spin(member, place)) {
    sleep(member, place, timeout);
    cursor(member).looked = now_ticks();
  }
  if (all_agree(place.members(member))) return;
  dispute(place);
  sleep(member, place, timeout);
}

bool ThreadGroup::is_ready(int member, const Place& place) {
  const WaitFor wait = wait_for(member, place);
  if (!runtime::is_ready(wait)) return false;
  const bool agreed = all_agree(place.members(member));
  if (!agreed) dispute(place);
  return agreed;
}

bool ThreadGroup::never_ends(int member, const Place& place) const {
  const WaitFor wait = wait_for(member, place);
  return world_.watchdog().never_ends({&wait, 1});
}

void ThreadGroup::blame_reuse(int member, const Call& call, uint64_t sequence, Site at) {
  RankState held{.rank = info_.global_rank(member),
                 .op = call.op,
                 .group = info_.name,
                 .sequence = sequence,
                 .detail = describe(signature_of(call), info_.global_rank(call.root)),
                 .site = call.site};
  world_.watchdog().buffer_reused(held, at);
  throw RankError(world_.watchdog().error());
}

static bool all_inlined(Members members) {
  for (size_t i = 0; i < members.size(); ++i)
    if (!members[i].is_inlined()) return false;
  return true;
}

// By one of the members. False when it has been taken before.
static bool take_share(const ThreadGroup::Place& place, Members members, size_t share) {
  Posting& posting = place.entry->postings[share];
  if (posting.claimed.exchange(place.sequence, std::memory_order_acq_rel) == place.sequence) return false;
  const Face& mine = members.mine();
  const bool watched = is_in_place(mine.terms.op) && !BufferGuard::is_staged(mine.in.whole.size_bytes);
  for (const Posting& each : place.entry->postings)
    if (watched && each.guard) each.guard->taken_up(share);
  run_share(members, share);
  for (const Posting& each : place.entry->postings)
    if (watched && each.guard) each.guard->left(share);
  posting.done.store(place.sequence, std::memory_order_release);
  return true;
}

static bool all_done(const ThreadGroup::Place& place, size_t but) {
  for (size_t share = 0; share < place.entry->postings.size(); ++share)
    if (share != but && !place.is_done(share)) return false;
  return true;
}

static bool is_given_up(const Entry& entry) {
  return std::any_of(entry.postings.begin(), entry.postings.end(),
                     [](const Posting& share) { return share.given_up.load(std::memory_order_acquire); });
}

void ThreadGroup::finish(int member, const Place& place, uint64_t record, uint64_t ready) {
  const Members members = place.members(member);
  if (all_inlined(members)) {
    deliver(members);
    return recorder(member).completed(record, ready);
  }
  recorder(member).started(record, ready);
  const size_t own =
      take_share(place, members, members.me()) ? members.me() : SIZE_MAX;  // done: there is no need to look at it
  for (int spins = world_.patience(); spins > 0 && !all_done(place, own); --spins) pause_or_yield(spins);
  // Some other member does not run, or has not looked yet: do its share for it.
  for (size_t share = 0; share < info_.size() && !all_done(place, own); ++share) take_share(place, members, share);
  while (!all_done(place, own)) {
    if (is_given_up(*place.entry)) {
      give_up(place);
      throw RankError(world_.watchdog().error());
    }
    std::this_thread::yield();
  }
  recorder(member).completed(record);
}

// The others have read this member's postings when they were last used; to write one their caches must give it up. That
// takes as long as a small call, so it is asked for two calls ahead; that those will be of the size of this one is a
// guess. A segment that is to be made for them is made here, when the call has been published.
void ThreadGroup::fetch_ahead(int member, const Place& place, OpType op, size_t size_bytes) {
  const uint64_t ahead = place.sequence + 2;
  const bool beyond = (ahead - 1) % Segment::kEntries < 2;
  Segment& segment = beyond ? segments_.after(*place.segment) : *place.segment;
  const Posting& posting = segment.entry_of(ahead).postings[static_cast<size_t>(member)];
  fetch_to_write(&posting);
  if (size_bytes > most_inlined_bytes(op)) {
    fetch_to_write(&posting.done);
  } else {
    fetch_to_write(posting.payload, size_bytes);
  }
}

uint64_t ThreadGroup::run(int member, const Call& call) {
  const Place place = next_place(member);
  const Posted posted = post(member, place, call);
  if (!posted.all_agree) await(member, place, call.options.timeout);
  finish(member, place, posted.record, cursor(member).looked);
  return place.sequence;
}

std::shared_ptr<CollectiveWork> ThreadGroup::start(int member, const Call& call) {
  const Place place = next_place(member);
  place.segment->users.fetch_add(1, std::memory_order_relaxed);
  auto work = std::make_shared<CollectiveWork>(*this, member, place, call);
  cursor(member).outstanding.push_back(work);
  work->set_record(post(member, place, work->call(), work->parts_guard()).record);
  return work;
}

}  // namespace ranklint::runtime
