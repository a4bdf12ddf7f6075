// Knows what every rank of a world waits in, and says at once when some of them can never go on.
//
// The fast path of an operation does not come here. A rank that has spun in vain says what it waits for, under the one
// lock, and looks at the whole world (wait_graph.h); so does a rank that ends. The rank whose step makes the deadlock
// complete is the one that finds it, so the verdict needs no clock.
//
// It is exact although ranks run on while one looks. Only a running rank can meet a condition. A rank that has said it
// waits can not act before its own conditions are met, and conditions once met stay met. So a rank that rests on
// others who wait or are gone rests on them forever, whatever the running ones do meanwhile.
//
// For a complete picture the verdict is held back while a rank still computes, until it has had a short time of its own
// (`settle`, own_time.h): it may be about to come to the same place. When the last rank blocks nothing is held back.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "runtime/group/threads/bell.h"
#include "runtime/group/verdict.h"
#include "runtime/group/watch/dispute.h"
#include "runtime/group/watch/own_time.h"
#include "runtime/group/watch/unmet.h"
#include "runtime/group/watch/wait_for.h"
#include "runtime/group/world.h"

namespace ranklint::runtime {

class Watchdog {
 public:
  enum class Outcome : uint8_t { Ready, Ended, TimedOut };

  // A seat per rank and, with queues (one_queue.h), one per queue behind them.
  Watchdog(int world_size, bool queues, const WorldOptions& options);

  // By the thread that sits there, first of all.
  void begin(int place);

  // True once there is a verdict other than Ok: the world is to come down.
  bool ended() const { return ended_.load(std::memory_order_acquire); }
  // The error that the verdict is for a rank of this world. Only when ended.
  Error error() const;

  // Sleeps until all of `waits` are ready, the world has ended, or the deadline.
  Outcome wait(int place, std::span<const WaitFor> waits, Deadline deadline);
  // Can these never all be ready, whatever the ranks that run still do, or is the world to come down anyway? May say no
  // where others are asking, for who asks asks again.
  bool never_ends(std::span<const WaitFor> waits) const;
  // Wakes who sits there and sleeps. Call after making something ready that it may wait for.
  void wake(int place);

  void note(Dispute dispute);                                // two ranks disagree; they may still run
  void time_out(int place, std::span<const WaitFor> waits);  // ends the world
  void buffer_reused(const RankState& held, Site at);        // ends the world
  void finished(int place);
  void threw(int rank, const Error& error);

  // After all ranks have ended.
  void left(std::vector<Unmet> unmet);  // and from now on on_verdict, which may look at what is gone, is not called
  Verdict verdict() const;

 private:
  struct alignas(64) Seat {
    Bell bell;
    std::atomic<bool> asleep{false};
    // Under the lock:
    RankPhase phase = RankPhase::Running;
    std::optional<OwnTime> time;  // of its thread, once that runs
    std::vector<WaitFor> waits;
    std::string error;
  };

  Seat& seat_at(int seat) { return *seats_[static_cast<size_t>(seat)]; }
  static const WaitFor* open_call(const Seat& seat);
  RankState state_of(size_t rank) const;
  void say_what_for(Seat& seat, std::span<const WaitFor> waits);
  std::optional<Outcome> outcome_of(std::span<const WaitFor> waits, Deadline deadline) const;
  void look();
  bool has_settled(const std::vector<WaitNode>& nodes);
  void conclude(const std::vector<bool>& stuck);
  void end(Verdict verdict);
  std::vector<WaitNode> graph() const;
  std::vector<RankState> states() const;
  void ring_all();
  Deadline next_look(Deadline deadline) const;

  size_t world_size_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::chrono::milliseconds settle_;
  std::function<void(const Verdict&)> on_verdict_;
  // While a verdict is held back: when the ranks that run are looked at next, and until when at most.
  Deadline next_look_at_, held_until_;
  std::optional<Dispute> dispute_;
  Verdict verdict_;
  std::vector<Unmet> unmet_;
  std::atomic<bool> ended_{false};
};

}  // namespace ranklint::runtime
