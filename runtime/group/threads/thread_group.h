// A process group whose members are threads of this process.
//
// A collective call of a member: take the next entry, lay the call open there, compare it with what the others have laid
// open, count in; spin until all have come, or sleep under the watchdog's eye; then move the data (collectives/
// exchange.h). Nothing on this path takes a lock, except once in Segment::kEntries calls.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "runtime/group/recorder.h"
#include "runtime/group/threads/mailbox.h"
#include "runtime/group/threads/segment.h"
#include "runtime/group/threads/watchdog.h"
#include "runtime/group/watch/group_info.h"
#include "runtime/group/work.h"

namespace ranklint::runtime {

class CollectiveWork;
class ThreadWorld;

class ThreadGroup {
 public:
  // Where an entry lies; what keeps it from being used anew.
  struct Place {
    Segment* segment = nullptr;
    Entry* entry = nullptr;
  };

  ThreadGroup(ThreadWorld& world, GroupInfo info);
  ~ThreadGroup();

  const GroupInfo& info() const { return info_; }
  ThreadWorld& world() const { return world_; }

  Recorder& recorder(int member) const;

  uint64_t run(int member, const Call& call);  // returns the call's sequence number
  std::shared_ptr<CollectiveWork> start(int member, const Call& call);
  void exchange(int member, std::span<const Call> calls);  // messages, all at once
  std::shared_ptr<WorkState> start_exchange(int member, std::span<const Call> calls);

  // Until all members have come. Throws RankError when they never will.
  void await(int member, Entry& entry, std::chrono::milliseconds timeout);
  // Ends the world because the member changed a tensor that an operation held.
  // `call`: the operation, `at`: where it was waited for.
  [[noreturn]] void blame_reuse(int member, const Call& call, uint64_t sequence, Site at);
  // The member's part of the work, and whatever others have not begun; returns when its tensors are its own again.
  void finish(int member, Entry& entry);
  void await(int member, std::span<const std::shared_ptr<Transfer>> transfers,
             std::chrono::milliseconds timeout);
  void finish(int member, std::span<const std::shared_ptr<Transfer>> transfers);

  void release(Segment& segment);
  void forget(int member, const CollectiveWork& work);
  void forget_all();

 private:
  // What a member alone touches.
  struct alignas(64) Cursor {
    Segment* segment = nullptr;
    size_t next_entry = 0;
    uint64_t transfers = 0;
    std::vector<std::shared_ptr<CollectiveWork>> outstanding;
  };

  Cursor& cursor(int member) { return cursors_[static_cast<size_t>(member)]; }
  Place next_place(int member);
  void advance(int member);
  void fetch_next(int member);
  void reap(int member);
  uint64_t post(int member, Entry& entry, const Call& call);  // returns the record
  bool agrees(int member, const Entry& entry) const;
  void wake_others(int member);
  std::vector<std::shared_ptr<Transfer>> post_all(int member, std::span<const Call> calls);
  void send_ahead(std::span<const std::shared_ptr<Transfer>> transfers);
  std::shared_ptr<Transfer> post_message(int member, const Call& call, bool alone);
  Segment& fresh_segment(uint64_t first_sequence);

  ThreadWorld& world_;
  GroupInfo info_;
  std::vector<Cursor> cursors_;
  std::vector<Mailbox> mailboxes_;  // one per member, of what is sent to it
  std::mutex mutex_;                // the segments
  std::vector<std::unique_ptr<Segment>> segments_;
  std::vector<Segment*> unused_;
};

}  // namespace ranklint::runtime
