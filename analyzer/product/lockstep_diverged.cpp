// The ranks at two places: each moves alone to its next stop, and the two stops say how it goes on.
#include <algorithm>

#include "analyzer/base/work_limit.h"
#include "analyzer/doubts/flags.h"
#include "analyzer/execution/sizes.h"
#include "analyzer/product/lockstep.h"
#include "analyzer/questions/listed_ranks.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

using Truth = ValueStore::Truth;

// Moves one rank to its next stop: a collective on the group, a call that may hold one, a choice, or the end.
Lockstep::Stop Lockstep::advance(State& state, Who who) {
  for (int budget = 0; budget < 2000; ++budget) {
    charge_work();
    if (state[who].at.at_end()) return Stop::End;
    const Transition move = execution_.next(state[who].at, Ask::WhereStepsCount);
    if (const std::optional<Stop> stop = move_alone(state, who, move)) return *stop;
  }
  return Stop::Stuck;
}

// Nothing: it goes on.
std::optional<Lockstep::Stop> Lockstep::move_alone(State& state, Who who, const Transition& move) {
  RankState& rank = state[who];
  switch (move.kind) {
    case Transition::Kind::Communicates: return Stop::Event;
    case Transition::Kind::Calls: return Stop::Call;
    case Transition::Kind::NeverReturns: return Stop::Lost;
    case Transition::Kind::TearsDown:
      if (!after_failure_) return tear_down(state, who);
      rank.at.pass_step();  // it may end the job yet
      return {};
    case Transition::Kind::Asks: return answer_alone(state, who, move);
    case Transition::Kind::Jumps: go_alone(state, who, 0); return {};
    case Transition::Kind::Raises: leave(state, who, Exit::Raised, move.range, move.to); return {};
    case Transition::Kind::Leaves: {
      // A rank that ends its process over its own loss has failed: the launcher ends the others.
      const bool fails = state.divergence && state.divergence->local &&
                         local_source(in_.values(), in_.index(), state.divergence->condition) == LocalSource::Batch;
      const Exit how = fails ? Exit::Raised : move.step->ending == Ending::ProcessDone ? Exit::Done : Exit::Left;
      leave(state, who, how, move.range, fails ? execution_.raised_from(rank.at) : move.to);
      return {};
    }
    case Transition::Kind::Returns:
      if (state.divergence && rank.at.frame == state.divergence->at.frame && move.range.known())
        rank.exit_range = move.range;
      rank.at = move.to;
      return !rank.at.at_end() && is_same_place(state) ? std::optional(Stop::Met) : std::nullopt;
    case Transition::Kind::Passes:
    case Transition::Kind::HandsOver:
    case Transition::Kind::SendsMessage:
    case Transition::Kind::Skips: break;
  }
  rank.at = move.to;
  return {};
}

// The end of a program, not what setting up anew or a failure begins with.
Lockstep::Stop Lockstep::tear_down(State& state, Who who) const {
  RankState& rank = state[who];
  if (!state.divergence || rank.caught || !frames_.lies_around(rank.at.frame, state.divergence->at.frame))
    return Stop::Lost;
  rank.at = {};
  rank.exit = Exit::ToreDown;
  return Stop::End;
}

std::optional<Lockstep::Stop> Lockstep::answer_alone(State& state, Who who, const Transition& question) {
  const ValueId term = scenario(who).residual(question.condition);
  Truth answer = decide(state, who, term);
  if (answer == Truth::Unknown && question.is_loop) answer = execution_.another_round(state[who], term);
  if (answer == Truth::Unknown) return Stop::Choice;
  note_passed(state[who].at, who, answer == Truth::Yes);
  if (tells_of_failure(question.condition))
    note(state, who, PathStep::Kind::Branch, state[who].at.frame, question.range,
         answer == Truth::Yes ? PathStep::Outcome::True : PathStep::Outcome::False);
  go_alone(state, who, answer == Truth::Yes ? 0 : 1);
  return {};
}

bool Lockstep::same_call(const State& state) {
  ValueStore& values = in_.values();
  const Step &a = step_at(state[A].at), &b = step_at(state[B].at);
  const auto ta = frames_.relevant_targets(state[A].at.frame, a), tb = frames_.relevant_targets(state[B].at.frame, b);
  const auto is_bool = [&](ValueId v) { return values[v].kind == ValueKind::Bool; };
  if (ta.size() != tb.size() || ta.empty() || a.call.part != b.call.part) return false;
  for (size_t i = 0; i < ta.size(); ++i) {
    if (!ta[i].function.valid() || ta[i].function != tb[i].function || ta[i].guard != tb[i].guard) return false;
    // One half of a context manager alone need not be the same on both: what one does on the way in the other may do on
    // the way out.
    if (opens_(ta[i].function) || (a.call.part != Call::Part::Whole && in_.summary(ta[i].function)->has_divergence))
      return false;
    const Position pa = frames_.enter(state[A].at, a, ta[i]), pb = frames_.enter(state[B].at, b, tb[i]);
    if (pa.at_end() || pb.at_end()) return false;
    const auto &xa = frames_[pa.frame].binding.parameters, &xb = frames_[pb.frame].binding.parameters;
    for (size_t p = 0; p < xa.size() && p < xb.size(); ++p) {
      if (!xa[p].valid() || !xb[p].valid()) continue;
      const ValueId ra = scenario(A).residual(xa[p]), rb = scenario(B).residual(xb[p]);
      // Flags, groups and sizes decide; data does not.
      const auto ga = in_.resolve_group(xa[p], Unknown::Nothing), gb = in_.resolve_group(xb[p], Unknown::Nothing);
      if (ra != rb && is_bool(ra) && is_bool(rb)) return false;
      const bool flags = (is_bool(ra) || is_flag(values, ra)) && (is_bool(rb) || is_flag(values, rb));
      if (ra != rb && flags && tests_flag(values, *frames_[pa.frame].summary, static_cast<uint32_t>(p))) return false;
      // Which method it calls by its name.
      const bool names_callee = p < 32 && (frames_[pa.frame].summary->calls_parameters >> p & 1) &&
                                values[ra].kind == ValueKind::Text && values[rb].kind == ValueKind::Text;
      if (ra != rb && names_callee) return false;
      if (size_difference(in_, ra, rb)) return false;
      if (ga && gb && values[xa[p]].kind == ValueKind::Group && values[xb[p]].kind == ValueKind::Group && !(*ga == *gb))
        return false;
    }
  }
  return true;
}

void Lockstep::enter_call(const State& state, Who who) {
  State base = state;
  const Position from = base[who].at;
  const Step& step = step_at(from);
  const auto targets = frames_.relevant_targets(from.frame, step);
  auto skip = [&](State s) {
    s[who].at.pass_step();
    push(std::move(s));
  };
  bool entered = false;
  for (const Target& target : targets) {
    State next = base;
    if (target.guard.valid()) {
      const ValueId term = scenario(who).residual(target.guard);
      if (decide(next, who, term) == Truth::No) continue;
    }
    const Position inside = frames_.enter(from, step, target);
    if (inside.at_end()) continue;
    if (targets.size() > 1) note_decision(next, who, Decision::Kind::Target, from, target.function.index);
    note_entered(next, who, step.range, target, inside);
    next[who].at = inside;
    entered = true;
    push(std::move(next));
  }
  if (!entered) skip(std::move(base));
}

// Whether one that stands at the head of a loop goes round at all, as far as that is known.
Truth Lockstep::first_round(const State& state, Who who, ValueId more) const {
  if (!state[who].at.entering) return Truth::Unknown;
  if (const auto turns = constant_turns(in_.values(), in_.index(), more)) return *turns > 0 ? Truth::Yes : Truth::No;
  return state.loops.decide(in_.values(), more);
}

bool Lockstep::communicates_in_loop(const Position& head) const {
  return std::ranges::any_of(frames_[head.frame].summary->graph().loop_blocks(head.block),
                             [&](ir::BlockId b) { return frames_.relevant_block(head.frame, b); });
}

// Whether a loop stands in another one of the same function, also in one that no way goes round (`for ...: ...;
// return`).
bool Lockstep::lies_inside(const Position& inner, const Position& outer) const {
  if (inner.frame != outer.frame || inner.block == outer.block) return false;
  const FlowGraph& graph = frames_[outer.frame].summary->graph();
  return graph.lies_in_loop(inner.block, outer.block) ||
         graph.dominates(code(outer.frame).blocks[outer.block].terminator.successors[0], inner.block);
}

void Lockstep::step_diverged(State state) {
  // What one of them meets first, it meets; then the other, with what was decided meanwhile.
  const Stop sa = advance(state, A);
  const Stop sb = advance(state, B);
  if (is_same_place(state)) {
    if (state[A].at.at_end()) settle(state);
    if (state[A].at.at_end() && met(state)) conclude(state);
    if (!state[A].at.at_end()) push(std::move(state));
    return;
  }
  if (sa == Stop::Lost || sb == Stop::Lost) return conclude(state);
  if (state.divergence && (sa == Stop::Event) != (sb == Stop::Event) && sa != Stop::End && sb != Stop::End)
    waiting_.try_emplace({state.divergence->at, sa == Stop::Event ? state[A].at : state[B].at}, state,
                         sa == Stop::Event ? A : B);
  if (sa == Stop::Stuck || sb == Stop::Stuck) return settle(state);
  if (sa == Stop::Met || sb == Stop::Met) return push(std::move(state));
  const std::optional<Asked> a = sa == Stop::Choice ? std::optional(asked(state, A)) : std::nullopt;
  const std::optional<Asked> b = sb == Stop::Choice ? std::optional(asked(state, B)) : std::nullopt;
  const bool loop_a = a && a->loop, loop_b = b && b->loop;
  // A rank at the head of a loop waits there until the other one has come as far as it can without a decision. From a
  // loop in which it only may fail it goes on, to a call that the other may stand at.
  if (loop_a && sb == Stop::Call && communicates_in_loop(state[A].at)) return enter_call(state, B);
  if (loop_b && sa == Stop::Call && communicates_in_loop(state[B].at)) return enter_call(state, A);
  if (a && b) return choose_for_two(state, *a, *b);
  if (a || b) return choose_for_one(state, a ? A : B, a ? *a : *b);
  if (sa == Stop::Call && sb == Stop::Call && same_call(state)) return cross(std::move(state), PathStep::Kind::Call);
  // Advance the rank that is earlier in program order; it may reach the other's position, and then they converge.
  if (sa == Stop::Call && sb == Stop::Call)
    return enter_call(state, frames_.is_earlier(state[B].at, state[A].at) ? B : A);
  if (sa == Stop::Call) return enter_call(state, A);
  if (sb == Stop::Call) return enter_call(state, B);
  if (sa == Stop::Event && sb == Stop::Event) return compare_events(std::move(state));
  if (sa == Stop::Event) return report(state, A);
  if (sb == Stop::Event) return report(state, B);
}

// `last()` of `first(); last()`, where all ranks but one wait in `first` for the one that waits in `last`: each comes
// to its branch alone. Where the members of a group are known, no other rank can arrive.
void Lockstep::note_passed(const Position& branch, Who who, bool yes) {
  const DivergencePlace place = place_of(branch);
  const auto bit = [](Who one, bool side) { return 1U << (2 * (one == A) + side); };
  unsigned& sides = passed_[place];
  if (sides & bit(who, yes)) return;
  sides |= bit(who, yes);
  const bool knows_members = frames_.members().valid() && listed_ranks(in_, frames_.members());
  if (knows_members || (sides & bit(other(who), !yes))) result_.passed_apart.push_back(place);
}

// The condition of the branch at which a rank stands.
Lockstep::Asked Lockstep::asked(const State& state, Who who) const {
  const Position& p = state[who].at;
  Asked out;
  out.term = state.shared.undecided_part(
      in_.values(),
      scenario(who).residual(frames_.in_root(p.frame, frames_[p.frame].summary->blocks[p.block.index].condition)));
  out.loop = code(p.frame).blocks[p.block].terminator.is_loop;
  if (out.loop) out.first_round = first_round(state, who, out.term);
  return out;
}

// What a decision of one says beyond it.
void Lockstep::learn(State& state, Who who, const Asked& q, bool yes) const {
  const ValueStore& values = in_.values();
  const bool local = values[q.term].local;
  if (q.loop) {
    if (state[who].at.entering && !local) state.loops.assume(values, q.term, yes);
  } else {
    local&& by_local_ ? choose_alone(state, who, q.term, yes) : state.shared.assume(values, q.term, yes);
  }
}

// What a rank decides alone may say something of what all ranks share: where `slow or resumes` does not hold, `resumes`
// does not.
void Lockstep::choose_alone(State& state, Who who, ValueId term, bool yes) const {
  const ValueStore& values = in_.values();
  PathCondition& own = state[who].own;
  own.assume(values, term, yes);
  for (const auto& [part, holds] : own.all())
    if (!values[part].local && !after_failure_) state.shared.assume(values, part, holds);
}

void Lockstep::take(State& state, Who who, bool yes) {
  note_decision(state, who, Decision::Kind::Side, state[who].at, yes ? 0 : 1);
  go_alone(state, who, yes ? 0 : 1);
}

void Lockstep::choose_for_one(const State& state, Who who, const Asked& q) {
  for (const bool yes : {false, true}) {
    if (q.first_round == (yes ? Truth::No : Truth::Yes)) continue;
    State next = state;
    learn(next, who, q, yes);
    take(next, who, yes);
    push(std::move(next));
  }
}

// Of two loops the inner one runs first; two on one level with unknown lengths go on and end together. The rank at
// the head of a loop waits for one that is not.
void Lockstep::choose_for_two(const State& state, const Asked& a, const Asked& b) {
  const bool loops = a.loop && b.loop, differ = a.first_round != b.first_round && a.first_round != Truth::Unknown &&
                                                b.first_round != Truth::Unknown;
  // One rank re-enters the loop while the other enters it; with the same bound they stay one iteration apart.
  const bool round_apart = loops && state[A].at.frame == state[B].at.frame && state[A].at.block == state[B].at.block &&
                           state[A].at.entering != state[B].at.entering && a.term == b.term;
  const bool a_inside = loops && lies_inside(state[A].at, state[B].at),
             b_inside = loops && lies_inside(state[B].at, state[A].at);
  const int depth_a = frames_[state[A].at.frame].depth, depth_b = frames_[state[B].at.frame].depth;
  if (!differ && !round_apart && !a_inside && !b_inside && ((loops && depth_a == depth_b) || a.term == b.term))
    return choose_together(state, a, b);
  const Who who = (loops ? depth_b <= depth_a && !b_inside : !a.loop) ? A : B;
  choose_for_one(state, who, who == A ? a : b);
}

// Both go on, or both end. Of two that turn another number of times the longer one goes on when the shorter one ends.
void Lockstep::choose_together(const State& state, const Asked& a, const Asked& b) {
  const auto turns_a = constant_turns(in_.values(), in_.index(), a.term),
             turns_b = constant_turns(in_.values(), in_.index(), b.term);
  const bool uneven = turns_a && turns_b && *turns_a != *turns_b;
  for (const bool yes : {false, true}) {
    const Truth excluded = yes ? Truth::No : Truth::Yes;
    if (!uneven && (a.first_round == excluded || b.first_round == excluded)) continue;
    State next = state;
    if (!uneven) {
      learn(next, A, a, yes);
      learn(next, B, b, yes);
    }
    take(next, A, yes || (uneven && *turns_a > *turns_b));
    take(next, B, yes || (uneven && *turns_b > *turns_a));
    push(std::move(next));
  }
}

// Both make the same call or operation, each at its place.
void Lockstep::cross(State state, PathStep::Kind kind) {
  meet(state);
  trace(kind == PathStep::Kind::Call ? WalkEvent::Kind::Call : WalkEvent::Kind::Issue, state);
  for (const Who who : {A, B}) {
    Position& p = state[who].at;
    const Step& step = step_at(p);
    if (kind == PathStep::Kind::Call)
      note(state, who, kind, p.frame, step.range, "");
    else
      note(state, who, kind, p.frame, step.range, step.event->model->op, group_name(p.frame, step));
    p.pass_step();
  }
  push(std::move(state));
}

// Of two that wait, the one that is still where they diverged: the other one has left that function, past what this one
// waits in.
Who Lockstep::waits_inside(const State& state) const {
  const auto is_inside = [&](Who who) {
    return state.divergence && frames_.block_in(state.divergence->at.frame, state[who].at).valid();
  };
  return is_inside(B) && !is_inside(A) ? B : A;
}

void Lockstep::compare_events(State state) {
  const Step &a = step_at(state[A].at), &b = step_at(state[B].at);
  if (frames_.of_two_groups() &&
      frames_.event_group(state[A].at.frame, *a.event) != frames_.event_group(state[B].at.frame, *b.event))
    return report_crossing(state);
  if (a.event->model->op != b.event->model->op) return report(state, waits_inside(state));
  compare_arguments(state);
  cross(std::move(state), PathStep::Kind::Collective);
}

}  // namespace ranklint
