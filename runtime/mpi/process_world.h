// A world whose ranks are processes, as one of them sees it: its groups and what is under way in them, what it tells
// the arbiter, and the letters of all of that. One lock for everything: a rank's body and the one thread beside it,
// which keeps letters and bulk moving while the body computes, are all that ever asks for it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "runtime/group/recorder.h"
#include "runtime/group/watch/deadline.h"
#include "runtime/group/watch/dispute.h"
#include "runtime/group/watch/own_time.h"
#include "runtime/group/world.h"
#include "runtime/mpi/arbiter.h"
#include "runtime/mpi/collective.h"
#include "runtime/mpi/message.h"
#include "runtime/mpi/wire.h"

namespace ranklint::runtime {

// A group as one of its members sees it.
struct ProcessGroupState {
  GroupInfo info;
  int member = 0;
  uint64_t collectives = 0, messages = 0;  // made by this rank
  std::map<uint64_t, std::shared_ptr<Collective>> open;
  MessageBox box;
};

// How far a rank has come in a group when it leaves.
struct Progress {
  uint64_t collectives = 0;          // made
  std::vector<uint64_t> incomplete;  // of these

  bool has_completed(uint64_t sequence) const {
    return sequence <= collectives && std::find(incomplete.begin(), incomplete.end(), sequence) == incomplete.end();
  }
};

class ProcessWorld {
 public:
  using Lock = std::unique_lock<std::mutex>;

  // By the thread that is going to run the body. `names` outlives the world's report.
  ProcessWorld(Wire& wire, Names& names, const WorldOptions& options);
  ~ProcessWorld();

  int rank() const { return wire_.rank(); }
  const WorldOptions& options() const { return options_; }
  ProcessGroupState& world_group() { return *world_group_; }
  ProcessGroupState& add_group(GroupInfo info, int member);
  Recorder& recorder() { return recorder_; }
  Lock lock() { return Lock(mutex_); }

  // All of these under the lock.
  std::shared_ptr<Collective> post(ProcessGroupState& group, const Call& call, bool asynchronous);
  std::shared_ptr<Message> post_message(ProcessGroupState& group, const Call& call);
  // Until all that `waits` names is ready and `moved` says so; throws RankError when the world ends before.
  void await(Lock& lock, std::span<const WaitFor> waits, const std::function<bool()>& moved,
             std::chrono::milliseconds timeout);
  // Does it look as if these will never all be ready, or is the world to come down anyway? A rank that has gone still
  // answers for what it has begun; who waits for that then does not wait in vain.
  bool never_ends(std::span<const WaitFor> waits) const;
  void progress();
  void throw_if_ended() const;
  void blame_reuse(Lock& lock, const ProcessGroupState& group, const Call& call, uint64_t sequence, Site at);

  // The body has ended. Returns when all have, with the same verdict on every rank.
  WorldReport end(std::optional<Error> error);

 private:
  // The first ones, up to MessageBulk, are about calls.
  enum class Kind : uint8_t { Posting, Bulk, Send, Fetch, MessageBulk, Report, Ask, Gone, Ended, Bye };

  static bool is_about_calls(Kind kind);
  void send_about_calls(int to, Bytes letter);
  void dispatch(int from, std::span<const std::byte> letter);
  void take_posting(ProcessGroupState& group, int member, ByteReader& in);
  void take_bulk(ProcessGroupState& group, int from, ByteReader& in);
  void take_send(ProcessGroupState& group, int member, ByteReader& in);
  void take_fetch(ProcessGroupState& group, int from, ByteReader& in);
  void take_message_bulk(ProcessGroupState& group, int from, ByteReader& in);
  void meet(ProcessGroupState& group, const ArrivedSend& send, const std::shared_ptr<Message>& receive);
  Collective& collective(ProcessGroupState& group, uint64_t sequence);
  Collective::Outbox outbox(ProcessGroupState& group, uint64_t sequence);
  void step_all();
  void note(Dispute dispute);
  void tell();
  void tell_others(Kind kind);
  void ask();
  void tell_own_time();
  RankReport report() const;
  std::vector<Unmet> unmet() const;
  void arbitrate();
  void end_with(Verdict verdict);
  void wait_a_little(Lock& lock, size_t idle_rounds);
  Bytes goodbye() const;
  void take_bye(ByteReader& in);
  void drain(Lock& lock);
  void abort_if_overdue();
  bool is_ended() const { return verdict_.has_value(); }

  Wire& wire_;
  WorldOptions options_;
  mutable std::mutex mutex_;
  Names& names_;
  TickClock clock_;
  Recorder recorder_;
  std::map<uint64_t, std::unique_ptr<ProcessGroupState>> groups_;
  ProcessGroupState* world_group_ = nullptr;
  std::map<uint64_t, std::vector<Letter>> early_;  // letters for groups that this rank has not made yet
  // What this rank is in, as it reports it.
  RankPhase phase_ = RankPhase::Running;
  std::vector<WaitFor> waits_;
  std::string error_;
  std::optional<Dispute> dispute_;
  std::optional<Verdict> reuse_;
  bool timed_out_ = false;
  std::vector<WaitNode> others_;           // per rank: running, or gone when it has said so
  std::vector<uint64_t> sent_, received_;  // letters about calls, per rank
  uint64_t changes_ = 0, told_ = 0;        // of the counts; at the last report
  OwnTime own_time_;                       // since rank 0 has asked
  bool asked_ = false;
  Clock::time_point told_own_time_at_;
  std::optional<Arbiter> arbiter_;  // on rank 0
  std::optional<Verdict> verdict_;
  Clock::time_point ended_at_;
  size_t byes_ = 0;
  std::multimap<uint64_t, Progress> left_with_;  // what the ranks said at their goodbyes, by group
  bool drained_ = false, leaving_ = false;
  std::jthread mover_;
};

}  // namespace ranklint::runtime
