// Both ranks at one place together, on several ways that lead there.
//
// Where the sides of a branch join again, what was decided there is forgotten: `c` and `not c`, with all else alike,
// are every way there is. So what a way is said to rest on is what it needs, and code of many branches one after the
// other is as many places and not as many ways. For that the places are followed in the order of the code, each when
// the ways that lead there have come; what returns to one that was left already, as a loop does, waits until all others
// had their turn.
#include <algorithm>

#include "analyzer/product/lockstep.h"

namespace ranklint {

// Ways that are followed in all before a place that was left already is left no more: in large code what was not seen
// at all comes first.
static constexpr size_t kFewWays = 200;

bool Lockstep::are_together(const State& state) const {
  return !state.divergence && state[A].at == state[B].at && !state[A].at.at_end() && state[A].own.all().empty() &&
         state[B].own.all().empty() && state[A].rounds == state[B].rounds;
}

void Lockstep::come_together(State state) {
  const Position at = state[A].at;
  Meeting& met = meetings_[{at, state[A].rounds.hash()}];
  const auto covers = [&](const Meeting::Choices& followed) {
    return state.shared.includes(followed.shared) && state.loops.includes(followed.loops);
  };
  if (std::ranges::any_of(met.followed, covers)) return;
  for (size_t i = 0; i < met.waiting.size();) {
    if (join(state, met.waiting[i])) {
      met.waiting.erase(met.waiting.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    } else {
      ++i;
    }
  }
  if (met.followed.size() + met.waiting.size() >= kMostVariants) return;
  met.waiting.push_back(std::move(state));
  add_next(at, met);
}

// Makes the two one way, if that says no more and no less than both.
bool Lockstep::join(State& state, State& waiting) {
  const bool same_loops = state.loops.all() == waiting.loops.all();
  if (state.shared.includes(waiting.shared) && state.loops.includes(waiting.loops)) {
    state = std::move(waiting);
    return true;
  }
  if (waiting.shared.includes(state.shared) && waiting.loops.includes(state.loops)) return true;
  if (!same_loops && state.shared.all() != waiting.shared.all()) return false;
  PathCondition State::* const differs = same_loops ? &State::shared : &State::loops;
  std::optional<PathCondition::Joined> joined = PathCondition::join(in_.values(), waiting.*differs, state.*differs);
  if (!joined) return false;
  state.*differs = std::move(joined->left);
  const DecisionId holds = joined->holds ? waiting.decisions : state.decisions;
  const DecisionId fails = joined->holds ? state.decisions : waiting.decisions;
  state.decisions = decisions_.push_back({holds, kBoth, {}});
  joined_.emplace(state.decisions, JoinedWays{joined->choice, fails});
  // A branch that only one of the two ways has passed no longer restricts which ranks come here.
  PassId& a = state.passes;
  PassId b = waiting.passes;
  while (a != b) {
    PassId& later = !b.valid() || (a.valid() && a.index > b.index) ? a : b;
    later = passes_[later].before;
  }
  return true;
}

void Lockstep::add_next(const Position& at, Meeting& met) {
  next_meetings_.push_back({met.followed.size(), at, &met});
  std::ranges::push_heap(next_meetings_, [&](const auto& a, const auto& b) { return comes_later(a, b); });
}

bool Lockstep::comes_later(const NextMeeting& a, const NextMeeting& b) const {
  if (a.followed != b.followed) return a.followed > b.followed;
  return a.at.frame == b.at.frame && a.at.block == b.at.block ? a.at > b.at : frames_.is_earlier(b.at, a.at);
}

// The next place in the order of the code, among those that the fewest ways were followed on from.
std::optional<WalkState> Lockstep::next_together() {
  while (!next_meetings_.empty()) {
    std::ranges::pop_heap(next_meetings_, [&](const auto& a, const auto& b) { return comes_later(a, b); });
    const NextMeeting next = next_meetings_.back();
    next_meetings_.pop_back();
    Meeting& met = *next.meeting;
    if (met.waiting.empty()) continue;
    if (!met.followed.empty() && followed_together_ > kFewWays) continue;
    State state = std::move(met.waiting.front());
    met.waiting.erase(met.waiting.begin());
    met.followed.push_back({state.shared, state.loops});
    if (!met.waiting.empty()) add_next(next.at, met);
    ++followed_together_;
    return state;
  }
  return std::nullopt;
}

}  // namespace ranklint
