// Both ranks at one place: they move as one until something is decided differently for them. Where they make the same
// operation, its arguments are compared.
#include <algorithm>
#include <set>

#include "analyzer/compare/arguments.h"
#include "analyzer/compare/lockstep.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

using Truth = ValueStore::Truth;

// An object whose constructor was given what differs between ranks: its methods ask for that.
static bool was_told_apart(const ValueStore& values, ValueId object) {
  return values[object].kind == ValueKind::Instance &&
         std::ranges::any_of(values.children(object), [&](ValueId given) { return given.valid() && values.diverges(given); });
}

// What one has that had once what the other has still: `stop` that is still whatever it was, or has been made true. Nothing:
// it is not that, or not one truth.
static std::optional<bool> changed_to(const ValueStore& values, ValueId changed, ValueId kept) {
  std::vector<ValueId> work{changed};
  std::set<ValueId> seen;
  std::optional<bool> truth;
  bool has_kept = false;
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (!seen.insert(v).second || seen.size() > ValueStore::kManyEnds) continue;
    const Value& value = values[v];
    if (v == kept) {
      has_kept = true;
    } else if (value.kind == ValueKind::LoopPhi || value.kind == ValueKind::Conditional) {
      const auto ends = values.children(v).subspan(value.kind == ValueKind::Conditional ? 1 : 0);
      work.insert(work.end(), ends.begin(), ends.end());
    } else {
      // `stop = bad or stop`, which is how `if bad: stop = True` reads.
      const bool joins = value.kind == ValueKind::Or || value.kind == ValueKind::And;
      for (ValueId part : values.children(v).first(joins ? value.child_count : 0))
        if (has_part(values, part, kept)) work.push_back(part);
      const Truth t = joins ? (value.kind == ValueKind::Or ? Truth::Yes : Truth::No) : values.truth(v);
      if (t == Truth::Unknown || (truth && *truth != (t == Truth::Yes))) return std::nullopt;
      truth = t == Truth::Yes;
    }
  }
  return has_kept ? truth : std::nullopt;
}

// `bad >= patience` where one rank has counted and the other has still what it began with: the same is asked of both with
// the same limit, so that what the one comes to says nothing of the other.
static bool asks_what_one_alone_changed(const ValueStore& values, ValueId of_a, ValueId of_b) {
  using ir::Operator;
  const Value &a = values[of_a], &b = values[of_b];
  if (a.kind != ValueKind::Binary || b.kind != ValueKind::Binary || a.op != b.op) return false;
  if (a.op != Operator::Less && a.op != Operator::LessEqual && a.op != Operator::Greater && a.op != Operator::GreaterEqual) return false;
  for (const size_t asked : {0U, 1U}) {
    const ValueId limit = values.child(of_a, 1 - asked);
    if (limit != values.child(of_b, 1 - asked) || values.diverges(limit)) continue;
    const ValueId x = values.child(of_a, asked), y = values.child(of_b, asked);
    const auto holds = [&](ValueId whole, ValueId part) { return whole != part && has_part(values, whole, part); };
    return values.is_constant(x) != values.is_constant(y) || holds(x, y) || holds(y, x);
  }
  return false;
}

void Lockstep::step_together(State state) {
  ValueStore& values = in_.values();
  const Frame& frame = frames_[state.a.frame];
  const BlockSteps& block = frame.summary->blocks[state.a.block.index];
  if (state.a.step < block.steps.size()) {
    const Step& step = block.steps[state.a.step];
    auto skip = [&](State s) {
      ++s.a.step;
      ++s.b.step;
      push(std::move(s));
    };
    if (step.yields) {
      if (frame.part == Call::Part::UntilYield) {
        finish_return(state.a);
        finish_return(state.b);
        return push(std::move(state));
      }
      state.a.silent = state.b.silent = false;
      return skip(std::move(state));
    }
    if (step.leaves) return;
    if (state.a.silent || !frames_.relevant(state.a.frame, step)) return skip(std::move(state));
    if (step.event) {
      compare_arguments(state);
      return skip(std::move(state));
    }
    // A call. Entered by both when ranks may part inside in a way that matters here.
    const std::vector<Target> targets = frames_.relevant_targets(state.a.frame, step);
    bool enter = false;
    for (const Target& target : targets) {
      if (target.guard.valid()) {
        const ValueId guard = target.guard;
        const Truth a = decide(state, true, scenario_a_.residual(guard)), b = decide(state, false, scenario_b_.residual(guard));
        if (a != Truth::Unknown && b != Truth::Unknown && a != b) {
          State parted = state;
          part(parted, step.range, guard, false, false, false);
          note(parted, true, PathStep::Kind::Branch, state.a.frame, step.range, a == Truth::Yes ? "true" : "false");
          note(parted, false, PathStep::Kind::Branch, state.a.frame, step.range, b == Truth::Yes ? "true" : "false");
          const bool a_enters = a == Truth::Yes;
          parted.parting->a_first = a_enters;
          go_to_own(parted, !a_enters, targets);
          Position inside = frames_.enter(at(parted, a_enters), step, target);
          if (inside.at_end()) continue;
          note(parted, a_enters, PathStep::Kind::Call, state.a.frame, step.range, std::string(in_.index().qualified_name(target.function)));
          at(parted, a_enters) = inside;
          push(std::move(parted));
          return;
        }
        if (a == Truth::No) continue;
      }
      const Summary* s = in_.summary(target.function);
      const bool only_raises = !s->communicates && !s->calls_unknown();
      if (step.call.part != Call::Part::Whole || opens_(target.function) || only_raises) enter = true;
      if (s->communicates || s->calls_unknown()) {
        // Rank-dependent arguments decide inside.
        const Position inside = frames_.enter(state.a, step, target);
        if (inside.at_end()) continue;
        for (ValueId p : frames_[inside.frame].binding.parameters)
          enter |= p.valid() && (values.shape_diverges(p) || was_told_apart(values, p) || (by_local_ && values[p].of_batch));
        for (ValueId p : frames_[inside.frame].binding.captures) enter |= p.valid() && values.shape_diverges(p);
        for (const Held& held : frames_[inside.frame].binding.held) enter |= values.diverges(held.value);
        enter |= is_given_group(*s, frames_[inside.frame].binding);
      }
      if (s->calls_unknown()) enter = true;
    }
    if (!enter) return skip(std::move(state));
    bool entered = false;
    for (const Target& target : targets) {
      State next = state;
      const Position inside = frames_.enter(state.a, step, target);
      if (inside.at_end()) continue;
      if (targets.size() > 1) turn(next, Whose::Both, Turn::Kind::Target, state.a, target.function.index);
      next.a = next.b = inside;
      next.a.silent = next.b.silent = inside.silent;
      entered = true;
      push(std::move(next));
    }
    if (!entered) skip(std::move(state));
    return;
  }
  const ir::Block& code_block = code(state.a.frame).blocks[state.a.block];
  const ir::Terminator& end = code_block.terminator;
  switch (end.kind) {
    case ir::TerminatorKind::Jump:
      go(state, true, 0);
      go(state, false, 0);
      return push(std::move(state));
    case ir::TerminatorKind::Return:
      finish_return(state.a);
      finish_return(state.b);
      if (!state.a.at_end()) push(std::move(state));
      return;
    case ir::TerminatorKind::Raise:
      leave(state, true, true, end.range);
      leave(state, false, true, end.range);
      if (!state.a.at_end()) push(std::move(state));
      return;
    case ir::TerminatorKind::Unreachable: return;
    case ir::TerminatorKind::Branch:
    case ir::TerminatorKind::Iterate:
    case ir::TerminatorKind::Except: break;
  }
  const ValueId condition = frames_.in_root(state.a.frame, block.condition);
  const bool diverges = values.diverges(condition);
  if (!frames_.decides(state.a.frame, state.a.block, diverges)) {
    const ir::BlockId join = frame.summary->graph.join(state.a.block);
    if (join.valid()) {
      come_to(state.a, join);
      come_to(state.b, join);
      return push(std::move(state));
    }
    finish_return(state.a);
    finish_return(state.b);
    if (!state.a.at_end()) push(std::move(state));
    return;
  }
  const ValueId ra = state.shared.open_part(values, scenario_a_.residual(condition));
  const ValueId rb = state.shared.open_part(values, scenario_b_.residual(condition));
  Truth a = decide(state, true, ra), b = decide(state, false, rb);
  const bool loop = end.is_loop;
  if (loop && a == Truth::Unknown) a = another_round(state, true, ra);
  if (loop && b == Truth::Unknown) b = another_round(state, false, rb);
  auto both = [&](State next, bool yes, ValueId learned) {
    if (learned.valid() && !loop) next.shared.choose(values, learned, yes);
    if (learned.valid()) turn(next, Whose::Both, Turn::Kind::Side, next.a, yes ? 0 : 1);
    go(next, true, yes ? 0 : 1);
    go(next, false, yes ? 0 : 1);
    push(std::move(next));
  };
  auto split = [&](bool a_yes, bool b_yes, bool local, bool shaky) {
    State next = state;
    part(next, end.range, condition, loop, local, shaky);
    if (a == Truth::Unknown) turn(next, Whose::A, Turn::Kind::Side, next.a, a_yes ? 0 : 1);
    if (b == Truth::Unknown) turn(next, Whose::B, Turn::Kind::Side, next.b, b_yes ? 0 : 1);
    next.parting->a_first = a_yes;
    if (local) {
      next.own_a.choose(values, ra, a_yes);
      next.own_b.choose(values, rb, b_yes);
    } else {
      if (a == Truth::Unknown) next.shared.choose(values, ra, a_yes);
      if (b == Truth::Unknown) next.shared.choose(values, rb, b_yes);
    }
    note(next, true, PathStep::Kind::Branch, state.a.frame, end.range, a_yes ? "true" : "false");
    note(next, false, PathStep::Kind::Branch, state.a.frame, end.range, b_yes ? "true" : "false");
    go(next, true, a_yes ? 0 : 1);
    go(next, false, b_yes ? 0 : 1);
    next.parting->side_a = next.a.block;
    next.parting->side_b = next.b.block;
    next.parting->taken = next.shared;
    next.parting->decided = a != Truth::Unknown && b != Truth::Unknown;
    push(std::move(next));
  };
  if (a != Truth::Unknown && b != Truth::Unknown) return a == b ? both(state, a == Truth::Yes, {}) : split(a == Truth::Yes, b == Truth::Yes, false, false);
  const bool local = values[ra].local || values[rb].local;
  if (local && by_local_) {
    both(state, true, ra);
    both(state, false, ra);
    split(true, false, true, false);
    split(false, true, true, false);
    return;
  }
  if (loop && enter_loop_together(state, ra == rb ? ra : ValueId{})) return;
  if (ra == rb || local) {
    both(state, true, ra);
    both(state, false, ra);
    return;
  }
  if (a == Truth::Unknown && b == Truth::Unknown) {
    if (!values[condition].exact) {
      // Two unknown things at one place: taken for one decision.
      for (const bool yes : {true, false}) {
        State one = state;
        if (!loop) one.shared.choose(values, rb, yes);
        both(std::move(one), yes, ra);
      }
      if (asks_what_one_alone_changed(values, ra, rb))
        for (const bool yes : {true, false}) split(yes, !yes, false, true);
      else if (const std::optional<bool> of_a = changed_to(values, ra, rb)) split(*of_a, !*of_a, false, true);
      else if (const std::optional<bool> of_b = changed_to(values, rb, ra)) split(!*of_b, *of_b, false, true);
      return;
    }
    both(state, false, ra);
    for (const bool a_yes : {true, false})
      for (const bool b_yes : {true, false}) {
        if (a_yes == b_yes && !a_yes) continue;
        State trial = state;
        trial.shared.choose(values, ra, a_yes);
        if (const Truth implied = trial.shared.decide(values, rb); implied != Truth::Unknown && (implied == Truth::Yes) != b_yes) continue;
        if (a_yes == b_yes) both(state, a_yes, ra);
        else split(a_yes, b_yes, false, false);
      }
    return;
  }
  // Decided for one rank, a choice for the other.
  const bool decided_yes = (a == Truth::Unknown ? b : a) == Truth::Yes;
  {
    State next = state;
    const ValueId open = a == Truth::Unknown ? ra : rb;
    if (!loop) next.shared.choose(values, open, decided_yes);
    turn(next, a == Truth::Unknown ? Whose::A : Whose::B, Turn::Kind::Side, next.a, decided_yes ? 0 : 1);
    go(next, true, decided_yes ? 0 : 1);
    go(next, false, decided_yes ? 0 : 1);
    push(std::move(next));
  }
  // One has made something, and the other has what it was given: that is hardly nothing.
  const Value& open = values[a == Truth::Unknown ? ra : rb];
  const bool asks_for_nothing = open.kind == ValueKind::Binary && (open.op == ir::Operator::Is || open.op == ir::Operator::IsNot);
  if (asks_for_nothing && decided_yes == (open.op == ir::Operator::IsNot) && !open.local) return;
  split(a == Truth::Unknown ? !decided_yes : decided_yes, b == Truth::Unknown ? !decided_yes : decided_yes, false,
        !values[condition].exact);
}

// Out of several that a rank may call: into the one whose guard holds for it, or past the call where none does.
void Lockstep::go_to_own(State& state, bool of_a, std::span<const Target> targets) {
  const Position from = at(state, of_a);
  const Step& step = step_at(from);
  for (const Target& target : targets) {
    if (!target.guard.valid() || decide(state, of_a, scenario(of_a).residual(target.guard)) != Truth::Yes) continue;
    const Position inside = frames_.enter(from, step, target);
    if (inside.at_end()) break;
    note(state, of_a, PathStep::Kind::Call, from.frame, step.range, std::string(in_.index().qualified_name(target.function)));
    at(state, of_a) = inside;
    return;
  }
  ++at(state, of_a).step;
}

// Whether one that stands at the head of a loop of a known number of rounds goes round once more.
Truth Lockstep::another_round(const State& state, bool of_a, ValueId more) const {
  const Position& p = of_a ? state.a : state.b;
  const auto turns = constant_turns(in_.values(), in_.index(), more);
  if (!turns || *turns > Rounds::kMostCounted) return Truth::Unknown;
  const auto begun = p.entering ? 0 : (of_a ? state.rounds_a : state.rounds_b).begun(p.frame, p.block);
  return !begun ? Truth::Unknown : *begun < *turns ? Truth::Yes : Truth::No;
}

// Into a loop, or past it where there is nothing to go round for: over one thing that is one decision, however many
// loops there are. False: it is no such loop, or they come round.
bool Lockstep::enter_loop_together(const State& state, ValueId more) {
  if (!state.a.entering || !more.valid() || in_.values()[more].local) return false;
  const Truth known = first_round(state, true, more);
  for (const bool yes : {true, false}) {
    if (known == (yes ? Truth::No : Truth::Yes)) continue;
    State next = state;
    next.loops.choose(in_.values(), more, yes);
    turn(next, Whose::Both, Turn::Kind::Side, next.a, yes ? 0 : 1);
    go(next, true, yes ? 0 : 1);
    go(next, false, yes ? 0 : 1);
    push(std::move(next));
  }
  return true;
}

// Whether ranks may part in it along this group, which it does not know by itself: its caller gives it.
bool Lockstep::is_given_group(const Summary& s, const Binding& binding) const {
  if (!s.has_divergence || !overlap(s.divergence, frames_.group())) return false;
  return std::any_of(s.groups.begin(), s.groups.end(), [&](ValueId group) {
    return group.valid() && !in_.values()[group].closed && in_.as_group(in_.instantiate(group, binding), false) == frames_.group();
  });
}

// Both stand at the same operation, in one place or in two.
void Lockstep::compare_arguments(const State& state) {
  if (by_local_ || frames_.of_two_groups()) return;
  const Issue a{scenario_a_, state.a.frame, step_at(state.a)}, b{scenario_b_, state.b.frame, step_at(state.b)};
  const std::optional<Disagreement> found = disagreement(in_, frames_, a, b);
  if (!found) return;
  const Frame& frame = frames_[state.a.frame];
  Mismatch m;
  m.cause = found->cause;
  m.function = frame.summary->function;
  m.guard = a.step.range;
  // "I am the root" stands on one side of a choice mostly, and the others' root on the other side.
  const bool same_place = a.step.site == b.step.site;
  const bool chosen = !state.shared.all().empty() || (m.cause == Mismatch::Cause::RootDiffers && same_place && !on_every_path(state.a));
  m.certainty = chosen ? Certainty::Possible : found->certainty;
  LockstepResult::Found out;
  out.guard = {m.function.index, state.a.block.index, state.a.step};
  if (frame.caller.valid() && !in_.values().shape_diverges(found->first_value))
    hand_over(m, state.a.frame, [&](ValueId given) { return given.valid() && in_.values().shape_diverges(given); });
  m.group = describe(frames_.group(), in_.index().names());
  m.first.at_collective = m.second.at_collective = true;
  m.first.op = m.second.op = a.step.event->model->op;
  m.first_argument = found->first;
  m.second_argument = found->second;
  if (state.a != state.b)
    m.second.steps.push_back({PathStep::Kind::Collective, frames_[state.b.frame].summary->function, b.step.range, 0, m.second.op, m.group});
  out.mismatch = std::move(m);
  out.way = way_of(state, true);
  result_.found.push_back(std::move(out));
}

}  // namespace ranklint
