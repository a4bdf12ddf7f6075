#include "analyzer/product/lockstep.h"

#include <algorithm>
#include <utility>

#include "analyzer/base/work_limit.h"
#include "analyzer/product/lazy.h"

namespace ranklint {
namespace {

// Mismatches kept of one divergence. More change the witness, hardly ever the judgement.
constexpr uint32_t kMostPerDivergence = 4;
constexpr uint32_t kFirstOfDivergence = 200;  // states that are followed before the ranks go on together
constexpr size_t kMostValues = 400000;        // that one walk may make: what calls hand on may grow with each call
using Truth = ValueStore::Truth;

}  // namespace

LockstepResult Lockstep::run(size_t most_states) {
  State first;
  first[A].at = first[B].at = frames_.start();
  push(std::move(first));
  return walk(most_states);
}

LockstepResult Lockstep::run_under(ValueId guard, const SourceRange& where, size_t most_states) {
  State first;
  first[A].at = frames_.start();
  diverge(first, where, guard, guard, false, false, false);
  first.divergence->decided = true;
  push(std::move(first));
  return walk(most_states);
}

LockstepResult Lockstep::run_after(const FailedRank& failed, size_t most_states) {
  after_failure_ = true;
  came_ = failed.came;
  State first;
  first[A].at = first[B].at = failed.diverge_at;
  diverge(first, failed.range, failed.failure, failed.failure, false, true, false);
  first.divergence->side = failed.side;
  first[A].at = failed.at;
  first[B].at = failed.others;
  if (failed.at.at_end()) first[A].exit = Exit::Done;
  for (const ValueId came : failed.came) {
    first[A].own.assume(in_.values(), came, true);
    first[B].own.assume(in_.values(), came, false);
  }
  push(std::move(first));
  return walk(most_states);
}

// What was found until the work that may be done for the function was done stays found.
LockstepResult Lockstep::walk(size_t most_states) {
  try {
    compare_positions(most_states);
  } catch (const WorkLimitReached&) {
    in_.note_incomplete(frames_[frames_.start().frame].summary->function, IncompleteReason::MuchWork);
    result_.exhausted = true;
  }
  result_.states = visited_.size() + followed_together_;
  return std::move(result_);
}

void Lockstep::compare_positions(size_t most_states) {
  const size_t most_values = in_.values().size() + kMostValues;
  while (true) {
    if (visited_.size() + followed_together_ > most_states || in_.values().size() > most_values) {
      result_.exhausted = true;
      break;
    }
    // Those that are apart first: where they meet again, they are to join the others. What a divergence leads to beyond
    // its first states comes last, or one that never ends would be all that is looked at.
    if (!apart_.empty()) {
      follow_apart(taken_from(apart_));
    } else if (std::optional<State> state = next_together()) {
      step_converged(std::move(*state));
    } else if (!apart_later_.empty()) {
      follow_apart(taken_from(apart_later_));
    } else {
      break;
    }
  }
  if (!result_.exhausted) {
    report_endless();
    forget_endless();
  }
}

// First in, first out: the shortest ways are found before the budget ends.
WalkState Lockstep::taken_from(std::deque<State>& states) {
  State state = std::move(states.front());
  states.pop_front();
  return state;
}

void Lockstep::follow_apart(State state) {
  if (state.divergence && found_at_[state.divergence->at] >= kMostPerDivergence) return;
  if (state[A].at.at_end() || !is_same_place(state)) return step_diverged(std::move(state));
  conclude(state, met(state) ? Position{} : state[A].at);
  if (state.divergence) trace(WalkEvent::Kind::Converge, state);
  // Where both stand at one place again, nothing parts them any more.
  if (after_failure_ || (state[A].own.all().empty() && state[B].own.all().empty())) {
    forget_divergence(state);  // and not what the one has met: what it has set parts them further on
  } else if (!(state.divergence && state.divergence->loop)) {
    forget_divergence(state);
    state[A].own = state[B].own = {};
  }
  are_together(state) ? come_together(std::move(state)) : step_converged(std::move(state));
}

void Lockstep::push(State state) {
  for (const Who who : {A, B}) state[who].rounds.keep_around(frames_, state[who].at);
  if (are_together(state)) return come_together(std::move(state));
  const uint64_t rounds = state[A].rounds.hash() * 31 + state[B].rounds.hash();
  const std::tuple key{state[A].at, state[B].at, state.shared.hash() * 31 + state.loops.hash(),
                       state[A].own.hash() * 31 + state[B].own.hash(), rounds};
  if (variants_[{state[A].at, state[B].at, rounds}] >= kMostVariants) {
    if (state.divergence) concluded_.emplace(state.divergence->at, Position{});  // and not settled: it goes no further
    return;
  }
  const Position divergence = state.divergence ? state.divergence->at : Position{};
  const auto [first, fresh] = visited_.emplace(key, divergence);
  if (!fresh) {
    // What follows from it is reported for another divergence.
    if (first->second != divergence) conclude(state);
    return;
  }
  ++variants_[{state[A].at, state[B].at, rounds}];
  const bool is_first = !state.divergence || ++apart_of_[state.divergence->at] <= kFirstOfDivergence;
  (is_first ? apart_ : apart_later_).push_back(std::move(state));
}

ValueStore::Truth Lockstep::decide(const State& s, Who who, ValueId term) const {
  // Only members of the group are compared: whether one is a member is decided.
  const Value& v = in_.values()[term];
  if (frames_.members().valid() && v.kind == ValueKind::Binary && in_.values().child(term, 1) == frames_.members()) {
    if (v.op == ir::Operator::In) return Truth::Yes;
    if (v.op == ir::Operator::NotIn) return Truth::No;
  }
  if (const Truth own = s[who].own.decide(in_.values(), term); own != Truth::Unknown) return own;
  return s.shared.decide(in_.values(), term);
}

void Lockstep::note(State& state, Who who, PathStep::Kind kind, FrameId frame, SourceRange range, std::string what,
                    std::string group, FrameId entered) {
  if (!state.divergence) return;
  state.trail = trails_.push_back({state.trail,
                                   who,
                                   {.kind = kind,
                                    .frame = frame,
                                    .range = range,
                                    .what = std::move(what),
                                    .group = std::move(group),
                                    .entered = entered}});
}

void Lockstep::note(State& state, Who who, PathStep::Kind kind, FrameId frame, SourceRange range,
                    PathStep::Outcome outcome) {
  if (!state.divergence) return;
  state.trail =
      trails_.push_back({state.trail, who, {.kind = kind, .frame = frame, .range = range, .outcome = outcome}});
}

void Lockstep::note_decision(State& state, std::optional<Who> who, Decision::Kind kind, const Position& at,
                             uint32_t chosen) {
  const Frame& frame = frames_[at.frame];
  state.decisions = decisions_.push_back(
      {state.decisions, who, {kind, frame.binding.path, frame.summary->function, at.block, chosen}});
}

DecisionTrace Lockstep::trace_of(const State& state, Who waits) const {
  DecisionTrace trace;
  trace.root = frames_[frames_.start().frame].summary->function;
  trace.captures = frames_[frames_.start().frame].binding.captures;
  trace.group = frames_.group();
  trace.members = frames_.members();
  trace.by_local = by_local_;
  trace.shared = state.shared;
  if (state.divergence) trace.condition = state.divergence->condition;
  Two<RankClassTrace> ways{{scenario(A).rank(), state[A].own, {}}, {scenario(B).rank(), state[B].own, {}}};
  DecisionId before;
  for (DecisionId t = state.decisions; t.valid(); t = before) {
    const TakenDecision& taken = decisions_[t];
    before = taken.before;
    if (const auto joined = joined_.find(t); joined != joined_.end()) {
      // The way that fits what was decided further on.
      if (state.shared.decide(in_.values(), joined->second.choice) == Truth::No) before = joined->second.other;
      continue;
    }
    for (const Who who : {A, B})
      if (taken.who.value_or(who) == who) ways[who].decisions.push_back(taken.decision);
  }
  for (const Who who : {A, B}) std::ranges::reverse(ways[who].decisions);
  trace.first = std::move(ways[waits]);
  trace.second = std::move(ways[other(waits)]);
  return trace;
}

void Lockstep::forget_divergence(State& state) {
  if (state.divergence) state.passes = state.divergence->passed_before;
  state.divergence.reset();
  state.trail = {};
}

void Lockstep::go_alone(State& state, Who who, uint32_t successor) {
  const Position& p = state[who].at;
  const ir::Terminator& end = code(p.frame).blocks[p.block].terminator;
  if (end.kind == ir::TerminatorKind::Branch && !end.is_loop)
    note_pass(state, who, frames_.in_root(p.frame, frames_[p.frame].summary->blocks[p.block.index].condition),
              successor == 0);
  else
    note_loop(state, who, successor);
  go(state, who, successor);
}

void Lockstep::go(State& state, Who who, uint32_t successor) {
  const Position from = state[who].at;
  const bool fills = state.divergence && filling_side(from) == successor;
  const ValueId more = code(from.frame).blocks[from.block].terminator.is_loop
                           ? scenario(who).residual(frames_.in_root(
                                 from.frame, frames_[from.frame].summary->blocks[from.block.index].condition))
                           : ValueId{};
  if (execution_.take(state[who], successor, more)) note_decision(state, who, Decision::Kind::Side, from, successor);
  if (fills) state[who].fills = state[who].at;
  if (state.divergence && goes_round(state, from, state[who].at)) ++state.divergence->turns[who];
}

// Whether the step is one back to the head of a loop around the divergence.
bool Lockstep::goes_round(const State& state, const Position& from, const Position& to) const {
  if (to.at_end() || from.frame != to.frame) return false;
  const Summary& s = *frames_[to.frame].summary;
  if (!s.graph().is_loop_header(to.block) || !s.graph().lies_in_loop(from.block, to.block)) return false;
  const ir::BlockId divergence = frames_.block_in(to.frame, state.divergence->at);
  return divergence.valid() && s.graph().lies_in_loop(divergence, to.block);
}

// Whether both stand at one place, in the same rounds of what is around it.
bool Lockstep::is_same_place(State& state) const {
  if (state[A].at != state[B].at) return false;
  for (const Who who : {A, B}) state[who].rounds.keep_around(frames_, state[who].at);
  return state[A].rounds == state[B].rounds;
}

std::optional<uint32_t> Lockstep::filling_side(const Position& branch) {
  const Summary& summary = *frames_[branch.frame].summary;
  const auto [place, added] = filling_.try_emplace({summary.function.index, branch.block.index});
  if (added) place->second = ranklint::filling_side(in_.index(), in_.roles(), summary, branch.block);
  return place->second;
}

// `to`: where an exception goes on; at the end: it, or the process, leaves the root.
void Lockstep::leave(State& state, Who who, Exit how, SourceRange range, const Position& to) const {
  RankState& rank = state[who];
  if (how == Exit::Raised) {
    rank.raised_deep = rank.raised_deep || !(state.divergence && state.divergence->at.frame == rank.at.frame);
    rank.caught = true;
  }
  rank.at = to;
  if (!to.at_end()) return;
  rank.exit = how;
  rank.exit_range = range;
}

void Lockstep::diverge(State& state, SourceRange range, ValueId condition, ValueId written, bool loop, bool local,
                       bool one_sided) {
  RANKLINT_CHECK(condition.valid() && written.valid(), "ranks that part without a reason");
  trace(WalkEvent::Kind::Diverge, state);
  state.divergence =
      Divergence{state[A].at, range, condition, written, state.passes, loop, local, A, one_sided, {}, state.shared};
  state.trail = {};
  for (const Who who : {A, B}) {
    state[who].exit_range = {};
    state[who].fills = {};
    state[who].caught = false;
  }
  note_decision(state, kBoth, Decision::Kind::Divergence, state[A].at, 0);
  result_.diverged.push_back(place_of(state[A].at));
}

// Whether the two have been in a collective together since they diverged.
bool Lockstep::met(const State& state) const {
  if (!state.divergence) return false;
  for (TrailId t = state.trail; t.valid(); t = trails_[t].before) {
    const Note& note = trails_[t].note;
    if (note.kind == PathStep::Kind::Collective || (note.kind == PathStep::Kind::Call && note.what.empty()))
      return true;
  }
  return false;
}

void Lockstep::meet(State& state) {
  if (!met(state)) state.chosen_when_met = state.shared;
}

void Lockstep::conclude(const State& state, Position at) {
  // A rank that has been in a collective of the other's next round stays one ahead, whatever becomes of other ways.
  const bool is_ahead = met(state) && state.divergence->turns.a != state.divergence->turns.b;
  if (is_ahead && state[A].at == state[B].at)
    ahead_.insert(place_of(state.divergence->at));
  else if (!is_ahead)
    settle(state);
  if (state.divergence) concluded_.emplace(state.divergence->at, at);
}

void Lockstep::settle(const State& state) {
  if (!state.divergence) return;
  settled_.insert(place_of(state.divergence->at));
}

DivergencePlace Lockstep::place_of(const Position& at) const {
  return {frames_[at.frame].summary->function.index, at.block.index, at.step};
}

// In an endless loop two ranks may stay one collective apart: each call of one rank always meets the next call of the
// other. That does not count as agreement.
void Lockstep::forget_endless() {
  const auto is_ahead = [&](const DivergencePlace& place) { return ahead_.contains(place); };
  std::erase_if(result_.diverged, [&](const DivergencePlace& at) { return !settled_.contains(at) || is_ahead(at); });
  std::erase_if(result_.passed_apart, is_ahead);
}

// Only a `while` can run forever: a `for` ends with its elements, even if the walk did not follow it to the end.
bool Lockstep::may_loop_forever(const State& state, const Position& p) const {
  for (FrameId f = p.frame; f.valid(); f = frames_[f].caller) {
    const FlowGraph& graph = frames_[f].summary->graph();
    const auto decisions = [&](ir::BlockId b) {
      return graph.is_loop_header(b) && code(f).blocks[b].terminator.kind != ir::TerminatorKind::Iterate;
    };
    if (std::ranges::any_of(graph.order(), decisions)) return true;
    if (f == state.divergence->at.frame) return false;
  }
  return false;
}

void Lockstep::report_endless() {
  for (const auto& [place, waiting] : std::exchange(waiting_, {})) {
    const auto& [state, waits] = waiting;
    if (!may_loop_forever(state, state[other(waits)].at)) continue;
    if (!concluded_.contains(place) && !concluded_.contains({place.first, {}}) && found_at_[place.first] == 0)
      report(state, waits, true);
  }
}

}  // namespace ranklint
