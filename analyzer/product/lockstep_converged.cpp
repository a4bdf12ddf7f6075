// Both ranks at one place: they move as one until something is decided differently for them. Where they make the same
// operation, its arguments are compared.
#include <algorithm>
#include <utility>

#include "analyzer/product/arguments.h"
#include "analyzer/product/lockstep.h"

namespace ranklint {

using Truth = ValueStore::Truth;

// Calls of one function that lie in each other: of one that calls itself the first two show what there is to see.
static constexpr size_t kMostOfOneFunction = 2;

// An object whose constructor got a value that differs between ranks, or made one: its methods test that value.
static bool was_made_divergent(const Query& in, ValueId object) {
  const ValueStore& values = in.values();
  if (values[object].kind != ValueKind::Instance) return false;
  const auto differs = [&](ValueId given) { return given.valid() && values.diverges(given); };
  return std::ranges::any_of(values.children(object), differs) ||
         !in.differing_attributes(ClassKey{values[object].a}).empty();
}

void Lockstep::step_converged(State state) {
  for (bool goes_on = true; goes_on;) {
    const Transition move = execution_.next(state[A].at, Ask::WhereRanksDiffer);
    switch (move.kind) {
      case Transition::Kind::Calls: goes_on = call_converged(state, move); continue;
      case Transition::Kind::Asks: return branch_converged(std::move(state), move);
      case Transition::Kind::Communicates:
        compare_arguments(state);
        trace(WalkEvent::Kind::Issue, state);
        break;
      case Transition::Kind::Jumps:
        for (const Who who : {A, B}) go(state, who, 0);
        return push(std::move(state));
      case Transition::Kind::Raises:
        for (const Who who : {A, B}) leave(state, who, Exit::Raised, move.range, move.to);
        break;
      case Transition::Kind::TearsDown:
      case Transition::Kind::Leaves:
      case Transition::Kind::NeverReturns: return;
      case Transition::Kind::Passes:
      case Transition::Kind::HandsOver:
      case Transition::Kind::SendsMessage:
      case Transition::Kind::Skips:
      case Transition::Kind::Returns: break;
    }
    goes_on = go_on_converged(state, move.to);
  }
}

// True: to the next step of the block, which nothing else leads to. Anywhere else other ways may lead as well.
bool Lockstep::go_on_converged(State& state, const Position& to) {
  const Position from = std::exchange(state[A].at, to);
  state[B].at = to;
  if (to.at_end()) return false;
  if (to.frame == from.frame && to.block == from.block && to.step > from.step) return true;
  push(std::move(state));
  return false;
}

// Entered by both when ranks may part inside in a way that matters here. True: past it.
bool Lockstep::call_converged(State& state, const Transition& call) {
  const Step& step = *call.step;
  const std::span<const Target> targets = call.targets;
  const auto is_deep_recursion = [&](const Target& target) {
    return target.function.valid() && frames_.count_around(state[A].at.frame, target.function) >= kMostOfOneFunction;
  };
  bool enter = false;
  for (const Target& target : targets) {
    if (target.guard.valid()) {
      const Truth a = decide(state, A, scenario(A).residual(target.guard)),
                  b = decide(state, B, scenario(B).residual(target.guard));
      if (a != Truth::Unknown && b != Truth::Unknown && a != b) {
        if (call_diverged(state, call, target, a == Truth::Yes ? A : B)) return false;
        continue;
      }
      if (a == Truth::No) continue;
    }
    enter |= !is_deep_recursion(target) && may_diverge_inside(state[A].at, step, target);
  }
  bool entered = false;
  if (enter)
    for (const Target& target : targets) {
      if (is_deep_recursion(target)) continue;
      State next = state;
      const Position inside = frames_.enter(state[A].at, step, target);
      if (inside.at_end()) continue;
      if (targets.size() > 1) note_decision(next, kBoth, Decision::Kind::Target, state[A].at, target.function.index);
      next[A].at = next[B].at = inside;
      next[A].at.silent = next[B].at.silent = inside.silent;
      entered = true;
      push(std::move(next));
    }
  if (entered) return false;
  trace(WalkEvent::Kind::Call, state);
  return go_on_converged(state, call.to);
}

// Only one of the two calls this one. False: it cannot be followed into.
bool Lockstep::call_diverged(const State& state, const Transition& call, const Target& target, Who enters) {
  const Step& step = *call.step;
  const Position inside = frames_.enter(state[A].at, step, target);
  if (inside.at_end()) return false;
  State diverged = state;
  diverge(diverged, step.range, target.guard, step.call.callee, false, false, false);
  for (const Who who : {A, B})
    note(diverged, who, PathStep::Kind::Branch, state[A].at.frame, step.range,
         who == enters ? PathStep::Outcome::True : PathStep::Outcome::False);
  diverged.divergence->took_first = enters;
  diverged.divergence->decided = true;
  go_to_own(diverged, other(enters), call);
  note_entered(diverged, enters, step.range, target, inside);
  diverged[enters].at = inside;
  push(std::move(diverged));
  return true;
}

bool Lockstep::may_diverge_inside(const Position& call, const Step& step, const Target& target) {
  if (!target.function.valid()) return false;  // an event
  const ValueStore& values = in_.values();
  const Summary& s = *in_.summary(target.function);
  const bool only_raises = !s.communicates && !s.calls_unknown();
  if (only_raises || step.call.part != Call::Part::Whole || opens_(target.function)) return true;
  const Position inside = frames_.enter(call, step, target);
  if (inside.at_end()) return false;
  if (s.calls_unknown()) return true;
  // Rank-dependent arguments decide inside.
  const Binding& given = frames_[inside.frame].binding;
  return std::ranges::any_of(given.parameters,
                             [&](ValueId p) {
                               return p.valid() && (values.shape_diverges(p) || was_made_divergent(in_, p) ||
                                                    (by_local_ && values[p].of_batch));
                             }) ||
         std::ranges::any_of(given.captures, [&](ValueId p) { return p.valid() && values.shape_diverges(p); }) ||
         std::ranges::any_of(given.held, [&](const FieldState& held) { return values.diverges(held.value); }) ||
         is_given_group(s, given);
}

// That a rank which stands at a call enters a function.
void Lockstep::note_entered(State& state, Who who, const SourceRange& call, const Target& target,
                            const Position& inside) {
  if (!target.function.valid()) return;
  note(state, who, PathStep::Kind::Call, state[who].at.frame, call,
       std::string(in_.index().qualified_name(target.function)), {}, inside.frame);
}

// Out of several that a rank may call: into the one whose guard holds for it, or past the call where none does.
void Lockstep::go_to_own(State& state, Who who, const Transition& call) {
  const Position from = state[who].at;
  state[who].at = call.to;
  for (const Target& target : call.targets) {
    if (!target.guard.valid() || decide(state, who, scenario(who).residual(target.guard)) != Truth::Yes) continue;
    const Position inside = frames_.enter(from, *call.step, target);
    if (inside.at_end()) break;
    state[who].at = from;
    note_entered(state, who, call.range, target, inside);
    state[who].at = inside;
    return;
  }
}

// Whether ranks may part in it along this group, which it does not know by itself: its caller gives it.
bool Lockstep::is_given_group(const Summary& s, const Binding& binding) const {
  if (!overlap(in_.values().axes(s.divergence), frames_.group())) return false;
  return std::any_of(s.groups.begin(), s.groups.end(), [&](ValueId group) {
    return group.valid() && !in_.values()[group].closed &&
           in_.resolve_group(in_.instantiate(group, binding), Unknown::Nothing) == frames_.group();
  });
}

// What two ranks make in another order differs from then on.
bool Lockstep::differ_in_members_already() const {
  return std::ranges::any_of(result_.found, [](const LockstepResult::Found& found) {
    return found.mismatch.cause == Mismatch::Cause::MembersDiffer;
  });
}

// Both stand at the same operation, in one place or in two.
void Lockstep::compare_arguments(const State& state) {
  if (by_local_ || frames_.of_two_groups()) return;
  const Issue a{scenario(A), state[A].at.frame, step_at(state[A].at)},
      b{scenario(B), state[B].at.frame, step_at(state[B].at)};
  const std::optional<Disagreement> found = disagreement(in_, frames_, a, b);
  if (!found || (found->cause == Mismatch::Cause::MembersDiffer && differ_in_members_already())) return;
  const Frame& frame = frames_[state[A].at.frame];
  Mismatch m;
  m.cause = found->cause;
  m.function = frame.summary->function;
  m.guard = a.step.range;
  // "I am the root" stands on one side of a choice mostly, and the others' root on the other side.
  const bool is_own_root = m.cause == Mismatch::Cause::RootDiffers && a.step.site == b.step.site;
  m.certainty = found->certainty;
  if (is_own_root ? stands_elsewhere_too(state[A].at, a.step.event->model->op) : !state.shared.all().empty())
    m.certainty.doubt({Reason::ChosenArgument, {m.function, m.guard}});
  LockstepResult::Found out;
  out.guard = place_of(state[A].at);
  if (frame.caller.valid() && !in_.values().shape_diverges(found->first_value))
    hand_over(m, state[A].at.frame, [&](ValueId given) { return given.valid() && in_.values().shape_diverges(given); });
  m.group = describe(frames_.group(), in_.index().names());
  m.first.at_collective = m.second.at_collective = true;
  m.first.op = m.second.op = a.step.event->model->op;
  m.first_argument = found->first;
  m.second_argument = found->second;
  if (state[A].at != state[B].at)
    m.second.steps.push_back({.kind = PathStep::Kind::Collective,
                              .function = frames_[state[B].at.frame].summary->function,
                              .range = b.step.range,
                              .what = m.second.op,
                              .group = m.group});
  out.mismatch = std::move(m);
  out.trace = trace_of(state, A);
  result_.found.push_back(std::move(out));
}

}  // namespace ranklint
