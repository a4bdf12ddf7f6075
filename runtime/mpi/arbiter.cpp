#include "runtime/mpi/arbiter.h"

#include <algorithm>

#include "runtime/group/watch/findings.h"
#include "runtime/group/watch/own_time.h"

namespace ranklint::runtime {

static bool is_gone(const RankReport& report) {
  return report.state.phase == RankPhase::Finished || report.state.phase == RankPhase::Threw;
}

static WaitNode node_of(const RankReport& report) {
  if (is_gone(report)) return {.state = WaitNode::State::Gone, .conditions = {}};
  if (report.state.phase != RankPhase::Waiting) return {};
  return {.state = WaitNode::State::Waiting, .conditions = report.conditions};
}

Arbiter::Arbiter(int world_size, std::chrono::milliseconds settle)
    : reports_(static_cast<size_t>(world_size)), settle_(settle) {
  for (size_t rank = 0; rank < reports_.size(); ++rank) {
    reports_[rank].state.rank = static_cast<int>(rank);
    reports_[rank].sent = reports_[rank].received = std::vector<uint64_t>(reports_.size());
  }
}

void Arbiter::take(RankReport report) {
  const auto rank = static_cast<size_t>(report.state.rank);
  if (rank < reports_.size()) reports_[rank] = std::move(report);
}

std::vector<RankState> Arbiter::states() const {
  std::vector<RankState> states;
  for (const RankReport& report : reports_) states.push_back(report.state);
  return states;
}

// A rank that waits has heard of everybody who came; one that runs may not have.
const Verdict* Arbiter::dispute() const {
  const Verdict* found = nullptr;
  for (const RankReport& report : reports_) {
    if (!report.dispute) continue;
    if (report.state.phase == RankPhase::Waiting) return &*report.dispute;
    if (!found) found = &*report.dispute;
  }
  return found;
}

std::optional<Verdict> Arbiter::urgent() const {
  for (const RankReport& report : reports_) {
    if (report.reuse) return report.reuse;
    if (report.timed_out) return timeout_verdict(states(), report.state.rank);
  }
  return std::nullopt;
}

bool Arbiter::counts_agree(size_t a, size_t b) const {
  return reports_[a].sent[b] == reports_[b].received[a] && reports_[b].sent[a] == reports_[a].received[b];
}

bool Arbiter::counts_agree(const std::vector<bool>& among) const {
  for (size_t a = 0; a < among.size(); ++a)
    for (size_t b = a + 1; b < among.size(); ++b)
      if (among[a] && among[b] && !counts_agree(a, b)) return false;
  return true;
}

// Have the ranks that do not run told of all letters that the others told to have sent them? They tell again when one
// comes, so this becomes true.
bool Arbiter::letters_arrived() const {
  const auto runs = [this](size_t rank) { return reports_[rank].state.phase == RankPhase::Running; };
  for (size_t to = 0; to < reports_.size(); ++to)
    for (size_t from = 0; from < reports_.size() && !runs(to); ++from) {
      const uint64_t sent = reports_[from].sent[to];
      const uint64_t received = reports_[to].received[from];
      if (runs(from) ? received < sent : received != sent) return false;
    }
  return true;
}

bool Arbiter::settled(Time now) {
  if (!held_since_) held_since_ = now;
  if (now >= *held_since_ + kLongestHold) return true;
  const bool had_time = std::all_of(reports_.begin(), reports_.end(), [this](const RankReport& report) {
    return report.state.phase != RankPhase::Running || report.own_time >= settle_;
  });
  return had_time && letters_arrived();
}

std::optional<Verdict> Arbiter::last_verdict() const {
  const bool all_returned = std::all_of(reports_.begin(), reports_.end(), [](const RankReport& report) {
    return report.state.phase == RankPhase::Finished;
  });
  if (all_returned && !counts_agree(std::vector<bool>(reports_.size(), true))) return std::nullopt;
  std::vector<Unmet> unmet;
  for (const RankReport& report : reports_)
    for (const Unmet& each : report.unmet) add(unmet, each);
  return final_verdict(states(), unmet);
}

std::optional<Verdict> Arbiter::look(Time now) {
  std::vector<WaitNode> nodes;
  for (const RankReport& report : reports_) nodes.push_back(node_of(report));
  if (std::all_of(reports_.begin(), reports_.end(), is_gone) && !dispute()) return last_verdict();

  std::optional<Verdict> verdict = urgent();
  if (!verdict) {
    const std::vector<bool> stuck = find_stuck(nodes);
    std::vector<bool> concerned = stuck;
    for (size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].state == WaitNode::State::Gone) concerned[i] = true;
    const bool certain = std::find(stuck.begin(), stuck.end(), true) != stuck.end() && counts_agree(concerned);
    if (!dispute() && !certain) return std::nullopt;
    if (!settled(now)) return std::nullopt;
    verdict = dispute() ? *dispute() : stuck_verdict(states(), stuck);
  }
  verdict->ranks = states();
  return verdict;
}

}  // namespace ranklint::runtime
