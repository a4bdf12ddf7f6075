#include "runtime/group/threads/watchdog.h"

#include <algorithm>

#include "runtime/group/watch/findings.h"

namespace ranklint::runtime {

// How often the ranks that run are looked at while they have their time.
static constexpr int kLooks = 4;

Watchdog::Watchdog(int world_size, bool queues, const WorldOptions& options)
    : world_size_(static_cast<size_t>(world_size)),
      settle_(std::min<std::chrono::milliseconds>(options.settle, kLongestHold)),
      on_verdict_(options.on_verdict) {
  for (size_t i = 0; i < world_size_ * (queues ? 2 : 1); ++i) seats_.push_back(std::make_unique<Seat>());
}

void Watchdog::begin(int place) {
  const std::lock_guard lock(mutex_);
  seat_at(place).time.emplace();
}

static bool all_ready(std::span<const WaitFor> waits) {
  return std::all_of(waits.begin(), waits.end(), [](const WaitFor& wait) { return is_ready(wait); });
}

Error Watchdog::error() const {
  const std::lock_guard lock(mutex_);
  return {.kind = error_kind_of(verdict_.kind), .message = verdict_.message};
}

Deadline Watchdog::next_look(Deadline deadline) const {
  if (!next_look_at_ || (deadline && *deadline < *next_look_at_)) return deadline;
  return next_look_at_;
}

void Watchdog::say_what_for(Seat& seat, std::span<const WaitFor> waits) {
  if (seat.phase != RankPhase::Waiting) {
    seat.phase = RankPhase::Waiting;
    seat.waits.assign(waits.begin(), waits.end());
  }
  look();
}

// How a wait ends, if it does now. Each thing is looked at once: what was ready may be disputed a moment later, and is
// then no time-out.
std::optional<Watchdog::Outcome> Watchdog::outcome_of(std::span<const WaitFor> waits, Deadline deadline) const {
  if (all_ready(waits)) return Outcome::Ready;
  if (ended()) return Outcome::Ended;
  if (deadline && Clock::now() >= *deadline) return Outcome::TimedOut;
  return std::nullopt;
}

// Falls asleep without missing a call: it says that it sleeps, then looks once more, then sleeps; who makes a thing
// ready first makes it so and then looks whether somebody sleeps. (Dekker's order; both sides are sequentially
// consistent.)
Watchdog::Outcome Watchdog::wait(int place, std::span<const WaitFor> waits, Deadline deadline) {
  Seat& seat = seat_at(place);
  std::optional<Outcome> outcome;
  while (!outcome) {
    const uint32_t seen = seat.bell.count();
    seat.asleep.store(true, std::memory_order_seq_cst);
    std::unique_lock lock(mutex_);
    say_what_for(seat, waits);
    const Deadline until = next_look(deadline);
    lock.unlock();
    outcome = outcome_of(waits, deadline);
    if (!outcome) seat.bell.sleep(seen, until);
  }
  seat.asleep.store(false, std::memory_order_relaxed);
  if (*outcome == Outcome::TimedOut) return *outcome;  // it still waits in the picture that time_out draws
  const std::lock_guard lock(mutex_);
  if (!ended()) seat.phase = RankPhase::Running;
  return *outcome;
}

bool Watchdog::never_ends(std::span<const WaitFor> waits) const {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return false;
  // Of a world that has ended ranks have left what they waited for.
  return ended() || dispute_ || would_be_stuck(graph(), node_of(waits));
}

void Watchdog::wake(int place) {
  Seat& seat = seat_at(place);
  if (seat.asleep.load(std::memory_order_seq_cst)) seat.bell.ring();
}

void Watchdog::ring_all() {
  for (const auto& seat : seats_) seat->bell.ring();
}

std::vector<WaitNode> Watchdog::graph() const {
  std::vector<WaitNode> nodes(seats_.size());
  for (size_t i = 0; i < seats_.size(); ++i) {
    const Seat& seat = *seats_[i];
    if (seat.phase == RankPhase::Finished || seat.phase == RankPhase::Threw) nodes[i].state = WaitNode::State::Gone;
    if (seat.phase == RankPhase::Waiting) nodes[i] = node_of(seat.waits);
  }
  return nodes;
}

void Watchdog::look() {
  if (ended()) return;
  const std::vector<WaitNode> nodes = graph();
  const std::vector<bool> stuck = find_stuck(nodes);
  if (!dispute_ && std::find(stuck.begin(), stuck.end(), true) == stuck.end()) return;
  if (has_settled(nodes)) conclude(stuck);
}

// Whether no rank runs that could still come to the same place: each has had its time since it was first asked.
bool Watchdog::has_settled(const std::vector<WaitNode>& nodes) {
  std::vector<Seat*> running;
  for (size_t i = 0; i < seats_.size(); ++i)
    if (nodes[i].state == WaitNode::State::Running) running.push_back(seats_[i].get());
  if (running.empty()) return true;
  const auto now = Clock::now();
  if (next_look_at_ && now < *next_look_at_) return false;
  if (!held_until_) {
    held_until_ = now + kLongestHold;
    for (const auto& seat : seats_)
      if (seat->time) seat->time->start_over();
    ring_all();  // so that somebody sleeps no longer than that
  }
  for (Seat* seat : running)
    if (seat->time) seat->time->look();
  next_look_at_ = now + settle_ / kLooks;
  const auto had_time = [&](const Seat* seat) { return seat->time && seat->time->passed() >= settle_; };
  return now >= *held_until_ || std::all_of(running.begin(), running.end(), had_time);
}

// The operation that a seat's owner has not got through, if it waits in one.
const WaitFor* Watchdog::open_call(const Seat& seat) {
  if (seat.phase != RankPhase::Waiting) return nullptr;
  for (const WaitFor& wait : seat.waits)
    if ((wait.entry || wait.transfer) && !is_ready(wait)) return &wait;
  return nullptr;
}

// A rank with a queue is where its queue is.
RankState Watchdog::state_of(size_t rank) const {
  const Seat& own = *seats_[rank];
  RankState state{.rank = static_cast<int>(rank), .phase = own.phase, .error = own.error};
  if (own.phase == RankPhase::Threw) return state;
  const WaitFor* open = open_call(own);
  if (!open && seats_.size() > world_size_) open = open_call(*seats_[world_size_ + rank]);
  if (!open) {
    if (own.phase == RankPhase::Waiting) state.phase = RankPhase::Running;
    return state;
  }
  state.phase = RankPhase::Waiting;
  describe(*open, state);
  return state;
}

std::vector<RankState> Watchdog::states() const {
  std::vector<RankState> states;
  for (size_t rank = 0; rank < world_size_; ++rank) states.push_back(state_of(rank));
  return states;
}

void Watchdog::conclude(const std::vector<bool>& stuck) {
  for (size_t i = 0; i < seats_.size() && !dispute_; ++i)
    if (stuck[i]) dispute_ = dispute_among(seats_[i]->waits);
  std::vector<bool> stuck_ranks(world_size_);
  for (size_t i = 0; i < stuck.size(); ++i) stuck_ranks[i % world_size_] = stuck_ranks[i % world_size_] || stuck[i];
  end(dispute_ ? verdict_of(*dispute_) : stuck_verdict(states(), stuck_ranks));
}

void Watchdog::end(Verdict verdict) {
  if (ended()) return;
  verdict_ = std::move(verdict);
  verdict_.ranks = states();
  ended_.store(true, std::memory_order_release);
  ring_all();
  if (on_verdict_) on_verdict_(verdict_);
}

void Watchdog::note(Dispute dispute) {
  const std::lock_guard lock(mutex_);
  if (!dispute_) dispute_ = std::move(dispute);
  look();
}

void Watchdog::time_out(int place, std::span<const WaitFor> waits) {
  const std::lock_guard lock(mutex_);
  Seat& seat = seat_at(place);
  if (!ended()) {
    seat.phase = RankPhase::Waiting;
    seat.waits.assign(waits.begin(), waits.end());
    end(timeout_verdict(states(), place % static_cast<int>(world_size_)));
  }
}

void Watchdog::buffer_reused(const RankState& held, Site at) {
  const std::lock_guard lock(mutex_);
  end(reuse_verdict(held, at));
}

void Watchdog::finished(int place) {
  const std::lock_guard lock(mutex_);
  if (ended()) return;
  seat_at(place).phase = RankPhase::Finished;
  look();
}

void Watchdog::threw(int rank, const Error& error) {
  const std::lock_guard lock(mutex_);
  if (ended()) return;
  Seat& seat = seat_at(rank);
  seat.phase = RankPhase::Threw;
  seat.error = error.message;
  look();
}

void Watchdog::left(std::vector<Unmet> unmet) {
  const std::lock_guard lock(mutex_);
  unmet_ = std::move(unmet);
  on_verdict_ = {};
}

Verdict Watchdog::verdict() const {
  const std::lock_guard lock(mutex_);
  return ended() ? verdict_ : final_verdict(states(), unmet_);
}

}  // namespace ranklint::runtime
