// A process group whose members are threads of this process.
//
// A collective call of a member: take the next entry, lay the call open there (collectives/posting.h); look at the
// others' postings until all are there, or sleep under the watchdog's eye; compare them; then move the data
// (collectives/ exchange.h). Nothing on this path takes a lock, except once in Segment::kEntries calls.
//
// Whoever reads or writes another member's memory does so in a share of the work that is marked as taken. So a member
// whose wait has no end may leave although others have seen its posting: it takes all shares that are left, which
// will then never be done, and waits for those under way.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "runtime/group/recorder.h"
#include "runtime/group/threads/mailbox.h"
#include "runtime/group/threads/pause.h"
#include "runtime/group/threads/segment.h"
#include "runtime/group/threads/watchdog.h"
#include "runtime/group/watch/group_info.h"
#include "runtime/group/watch/unmet.h"
#include "runtime/group/work.h"

namespace ranklint::runtime {

class CollectiveWork;
class ThreadWorld;

class ThreadGroup {
 public:
  // The place of one call: its entry, and what keeps that from being used anew.
  struct Place {
    Segment* segment = nullptr;
    Entry* entry = nullptr;
    uint64_t sequence = 0;

    Members members(int me) const { return Members(entry->postings, static_cast<size_t>(me)); }
    bool is_done(size_t share) const { return entry->postings[share].done.load(std::memory_order_acquire) == sequence; }
  };

  ThreadGroup(ThreadWorld& world, GroupInfo info);
  ~ThreadGroup();

  const GroupInfo& info() const { return info_; }
  ThreadWorld& world() const { return world_; }

  Recorder& recorder(int member) { return *cursor(member).recorder; }

  uint64_t run(int member, const Call& call);  // returns the call's sequence number
  std::shared_ptr<CollectiveWork> start(int member, const Call& call);
  void exchange(int member, std::span<const Call> calls);  // messages, all at once
  std::shared_ptr<WorkState> start_exchange(int member, std::span<const Call> calls);

  // Until all members have come and agree. Throws RankError when they never will.
  void await(int member, const Place& place, std::chrono::milliseconds timeout);
  bool is_ready(int member, const Place& place);          // likewise, without waiting
  bool never_ends(int member, const Place& place) const;  // see Watchdog
  // Ends the world because the member changed a tensor that an operation held.
  // `call`: the operation, `at`: where it was waited for.
  [[noreturn]] void blame_reuse(int member, const Call& call, uint64_t sequence, Site at);
  // The member's part of the work, and whatever others have not begun; returns when its tensors are its own again.
  // `ready`: when, in ticks, all members were seen to have come.
  void finish(int member, const Place& place, uint64_t record, uint64_t ready);
  void await(int member, std::span<const std::shared_ptr<Transfer>> transfers, std::chrono::milliseconds timeout);
  bool is_ready(std::span<const std::shared_ptr<Transfer>> transfers);  // likewise; sends that may do so run ahead
  bool never_ends(int member, std::span<const std::shared_ptr<Transfer>> transfers) const;
  void finish(int member, std::span<const std::shared_ptr<Transfer>> transfers);

  void release(Segment& segment) { segments_.release(segment); }
  void forget(int member, const CollectiveWork& work);
  // After all members have ended:
  void add_unmet(std::vector<Unmet>& all);
  void forget_all();

 private:
  // What a member alone touches.
  struct alignas(64) Cursor {
    Segment* segment = nullptr;
    Segment* left = nullptr;  // the one before, while it has not been released
    Recorder* recorder = nullptr;
    uint64_t collectives = 0, transfers = 0;  // made so far
    uint64_t looked = 0;                      // ticks: when it last looked whether the others have come
    Crowding crowding;
    std::vector<std::shared_ptr<CollectiveWork>> outstanding;
  };

  Cursor& cursor(int member) { return cursors_[static_cast<size_t>(member)]; }
  Mailbox& mailbox(int member) { return mailboxes_[static_cast<size_t>(member)]; }
  Place next_place(int member);
  void advance(int member);
  void release_left(int member);
  uint64_t note(int member, const Place& place, const Call& call);
  void fetch_ahead(int member, const Place& place, OpType op, size_t size_bytes);
  void reap(int member);
  struct Posted {
    uint64_t record = 0;
    bool all_agree = false;  // both of two are here already, and agree: of more it takes a comparison of each with each
  };
  Posted post(int member, const Place& place, const Call& call, PartsGuard* guard = nullptr);
  bool spin(int member, const Place& place);
  WaitFor wait_for(int member, const Place& place) const;
  std::vector<WaitFor> waits_for(int member, std::span<const std::shared_ptr<Transfer>> transfers) const;
  void sleep(int member, const Place& place, std::chrono::milliseconds timeout);
  void dispute(const Place& place);
  void wake_others(int member);
  struct Offers;  // messages whose sender waits until they are copied (lane.h)
  enum class Batch : uint8_t;
  static Batch kind_of(std::span<const Call> calls);
  bool fits_lane(const Call& call, Batch batch) const;
  bool is_small(const Call& call, Batch batch) const;
  bool exchange_at_once(int member, const Call& call, Batch batch, uint64_t sequence, Offers& offers);
  bool send_at_once(int member, const Call& call, Batch batch, uint64_t sequence, Offers& offers);
  std::vector<std::shared_ptr<Transfer>> exchange_in_lanes(int member, std::span<const Call> calls, Batch batch);
  void see_through(int member, Offers& offers, std::vector<std::shared_ptr<Transfer>>& transfers);
  bool receive_small(int member, const Call& call);
  void tell(std::span<const Mailbox::Pair> joined);
  std::vector<std::shared_ptr<Transfer>> post_all(int member, std::span<const Call> calls);
  void send_ahead(std::span<const std::shared_ptr<Transfer>> transfers);
  std::shared_ptr<Transfer> post_message(int member, const Call& call, uint64_t sequence, bool alone);

  ThreadWorld& world_;
  GroupInfo info_;
  std::vector<Cursor> cursors_;
  std::deque<Mailbox> mailboxes_;  // one per member, of what is sent to it
  Segments segments_;
};

}  // namespace ranklint::runtime
