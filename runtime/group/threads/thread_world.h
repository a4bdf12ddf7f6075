// A world whose ranks are threads of this process: its groups, its watchdog, its options.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/group/threads/one_queue.h"
#include "runtime/group/threads/thread_group.h"
#include "runtime/group/threads/watchdog.h"
#include "runtime/group/world.h"

namespace ranklint::runtime {

class ThreadWorld {
 public:
  ThreadWorld(int world_size, const WorldOptions& options);
  ~ThreadWorld();

  const WorldOptions& options() const { return options_; }
  Watchdog& watchdog() { return watchdog_; }
  ThreadGroup& world_group() { return *world_group_; }
  Recorder& recorder(int rank) { return recorders_[static_cast<size_t>(rank)]; }
  CallQueue* queue(int rank) { return queues_.empty() ? nullptr : queues_[static_cast<size_t>(rank)].get(); }

  // How often to look before sleeping: long when each rank has a core of its own, hardly when they share.
  int patience() const { return patience_; }
  // May a send of this size complete before its receive?
  bool runs_ahead(size_t size_bytes) const {
    return options_.mode == Mode::Relaxed && size_bytes <= options_.eager_bytes;
  }
  Deadline deadline(std::chrono::milliseconds timeout) const;
  void throw_if_ended() const;

  // The group that the ranks made in their call `sequence` on the world; `color` tells apart those of one split. The
  // first to come makes it.
  ThreadGroup& group_made_in(uint64_t sequence, int color, std::vector<int> ranks, const std::string& name);

  // After all ranks have ended, first of all: what they have left is told to the watchdog, and dropped.
  void drop_outstanding();
  std::vector<std::string> flight_records();

 private:
  WorldOptions options_;
  int patience_;
  int first_seat_ = 0;  // of those who make the ranks' calls
  Watchdog watchdog_;
  TickClock clock_;
  std::vector<Recorder> recorders_;                 // per rank
  std::vector<std::unique_ptr<CallQueue>> queues_;  // per rank, in Mode::OneQueue
  std::unique_ptr<ThreadGroup> world_group_;
  std::mutex mutex_;
  std::map<std::pair<uint64_t, int>, std::unique_ptr<ThreadGroup>> groups_;
};

}  // namespace ranklint::runtime
