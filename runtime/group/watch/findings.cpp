#include "runtime/group/watch/findings.h"

#include <algorithm>

#include "runtime/group/watch/ranks_text.h"

namespace ranklint::runtime {

namespace {

const RankState& state_of(const std::vector<RankState>& states, int rank) { return states[static_cast<size_t>(rank)]; }

// "barrier on world (call 3, train.cpp:12)"
std::string call_with_inside(const RankState& state) {
  const std::string implicit = state.implicit_in.empty() ? "" : " inside " + state.implicit_in;
  const std::string detail = state.detail.empty() ? "" : " (" + state.detail + ")";
  return std::string(name_of(state.op)) + detail + implicit + " on " + state.group + " (call " +
         std::to_string(state.sequence) + ", " + to_string(state.site) + ")";
}

// "rank 0 waits in barrier on world (call 3, train.cpp:12) for rank 1"
std::string sentence(const RankState& state) {
  return "rank " + std::to_string(state.rank) + " waits in " + call_with_inside(state) + " for " +
         ranks_text(state.waits_for);
}

// "rank 0 left send (float32[1], to 1) on world (call 2, train.cpp:12), which rank 1 never met, and 3 more"
std::string sentence(const Unmet& unmet) {
  const std::string more = unmet.more == 0 ? "" : ", and " + std::to_string(unmet.more) + " more";
  return "rank " + std::to_string(unmet.call.rank) + " left " + call_with_inside(unmet.call) + ", which " +
         ranks_text(unmet.call.waits_for) + " never met" + more;
}

std::vector<RankState> stuck_states(const std::vector<RankState>& states, const std::vector<bool>& stuck) {
  std::vector<RankState> waiting;
  for (const RankState& state : states)
    if (stuck[static_cast<size_t>(state.rank)] && state.phase == RankPhase::Waiting) waiting.push_back(state);
  return waiting;
}

std::vector<int> awaited(const std::vector<RankState>& waiting, size_t by_more_than) {
  std::vector<int> targets;
  for (const RankState& state : waiting) targets.insert(targets.end(), state.waits_for.begin(), state.waits_for.end());
  std::sort(targets.begin(), targets.end());
  std::vector<int> chosen;
  for (auto i = targets.begin(); i != targets.end();) {
    const auto end = std::upper_bound(i, targets.end(), *i);
    if (static_cast<size_t>(end - i) > by_more_than) chosen.push_back(*i);
    i = end;
  }
  return chosen;
}

std::vector<int> awaited_and(const std::vector<RankState>& waiting, const std::vector<RankState>& states,
                             RankPhase phase) {
  std::vector<int> ranks = awaited(waiting, 0);
  std::erase_if(ranks, [&](int rank) { return state_of(states, rank).phase != phase; });
  return ranks;
}

std::string sentences(const std::vector<RankState>& waiting) {
  std::string text;
  for (const RankState& state : waiting) text += (text.empty() ? "" : "; ") + sentence(state);
  return text;
}

std::string errors_of(const std::vector<RankState>& states, const std::vector<int>& ranks) {
  std::string text;
  for (const int rank : ranks)
    text += (text.empty() ? "rank " : "; rank ") + std::to_string(rank) + " threw: " + state_of(states, rank).error;
  return text;
}

}  // namespace

ErrorKind error_kind_of(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Mismatch: return ErrorKind::Mismatch;
    case VerdictKind::Deadlock: return ErrorKind::Deadlock;
    case VerdictKind::PeerExited:
    case VerdictKind::PeerThrew: return ErrorKind::PeerFailed;
    case VerdictKind::Timeout: return ErrorKind::Timeout;
    case VerdictKind::Ok:
    case VerdictKind::BufferReuse: return ErrorKind::InvalidArgument;
  }
  return ErrorKind::InvalidArgument;
}

std::optional<Dispute> dispute_among(std::span<const WaitFor> waits) {
  for (const WaitFor& wait : waits)
    if (wait.entry && is_disputed(wait))
      return Dispute{.group = wait.group, .entry = wait.entry, .sequence = wait.sequence};
  return std::nullopt;
}

Verdict stuck_verdict(const std::vector<RankState>& states, const std::vector<bool>& stuck) {
  const std::vector<RankState> waiting = stuck_states(states, stuck);
  const std::vector<int> threw = awaited_and(waiting, states, RankPhase::Threw);
  const std::vector<int> left = awaited_and(waiting, states, RankPhase::Finished);
  Verdict verdict;
  if (!threw.empty()) {
    verdict = {.kind = VerdictKind::PeerThrew, .message = errors_of(states, threw) + "; ", .odd_ranks = threw};
  } else if (!left.empty()) {
    verdict = {.kind = VerdictKind::PeerExited, .message = ranks_text(left) + " returned; ", .odd_ranks = left};
  } else {
    verdict = {.kind = VerdictKind::Deadlock, .odd_ranks = awaited(waiting, waiting.size() / 2)};
  }
  verdict.message += sentences(waiting);
  return verdict;
}

Verdict timeout_verdict(const std::vector<RankState>& states, int rank) {
  const RankState& late = state_of(states, rank);
  if (late.phase != RankPhase::Waiting)  // it waits for its queue alone
    return {.kind = VerdictKind::Timeout,
            .message = "timed out: rank " + std::to_string(rank) +
                       " waits for a call that its queue has not come to, or is carrying out",
            .odd_ranks = {rank}};
  Verdict verdict{.kind = VerdictKind::Timeout, .message = "timed out: " + sentence(late), .odd_ranks = late.waits_for};
  std::vector<int> slow = late.waits_for;
  std::erase_if(slow, [&](int other) { return state_of(states, other).phase != RankPhase::Running; });
  if (!slow.empty()) verdict.message += "; still running, so slow and not deadlocked: " + ranks_text(slow);
  return verdict;
}

Verdict reuse_verdict(const RankState& held, Site at) {
  Verdict verdict{.kind = VerdictKind::BufferReuse, .odd_ranks = {held.rank}};
  verdict.message = "rank " + std::to_string(held.rank) + " changed the tensor of " + std::string(name_of(held.op)) +
                    " (" + held.detail + ") on " + held.group + " (call " + std::to_string(held.sequence) + ", " +
                    to_string(held.site) + ") before its wait at " + to_string(at);
  return verdict;
}

static Verdict unmet_verdict(const std::vector<Unmet>& unmet) {
  std::vector<RankState> calls;
  for (const Unmet& each : unmet) calls.push_back(each.call);
  Verdict verdict{.kind = VerdictKind::PeerExited, .odd_ranks = awaited(calls, 0)};
  verdict.message = ranks_text(verdict.odd_ranks) + " returned";
  for (const Unmet& each : unmet) verdict.message += "; " + sentence(each);
  return verdict;
}

Verdict final_verdict(std::vector<RankState> states, const std::vector<Unmet>& unmet) {
  std::vector<int> threw;
  for (const RankState& state : states)
    if (state.phase == RankPhase::Threw) threw.push_back(state.rank);
  Verdict verdict;
  if (!threw.empty()) {
    verdict = {.kind = VerdictKind::PeerThrew, .message = errors_of(states, threw), .odd_ranks = threw};
  } else if (!unmet.empty()) {
    verdict = unmet_verdict(unmet);
    for (const Unmet& each : unmet) states[static_cast<size_t>(each.call.rank)] = each.call;
  }
  verdict.ranks = std::move(states);
  return verdict;
}

}  // namespace ranklint::runtime
