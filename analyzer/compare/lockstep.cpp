#include "analyzer/compare/lockstep.h"

#include "analyzer/compare/lazy.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analyzer/compare/arguments.h"
#include "analyzer/compare/sizes.h"

namespace ranklint {
namespace {

constexpr size_t kMostStates = 3000;
// Ways of choosing with which one pair of positions is visited, and mismatches kept of one parting. More of either
// changes the witness, hardly ever the judgement.
constexpr uint32_t kMostVariants = 8;
constexpr uint32_t kMostPerParting = 4;
using Truth = ValueStore::Truth;

}  // namespace

LockstepResult Lockstep::run() {
  State first;
  first.a = first.b = frames_.start();
  push(std::move(first));
  while (!work_.empty()) {
    if (visited_.size() > kMostStates) {
      result_.exhausted = true;
      break;
    }
    // First in, first out: the shortest ways are found before the budget ends.
    State state = std::move(work_.front());
    work_.pop_front();
    if (state.parting && found_at_[state.parting->at] >= kMostPerParting) continue;
    if (state.a == state.b && !state.a.at_end()) {
      conclude(state, met(state) ? Position{} : state.a);
      // Where both stand at one place again, nothing parts them any more.
      if (state.own_a.all().empty() && state.own_b.all().empty()) {
        state.parting.reset();
        state.trail = {};
      } else if (!(state.parting && state.parting->loop)) {
        state.parting.reset();
        state.trail = {};
        state.own_a = state.own_b = {};
      }
      step_together(std::move(state));
    } else {
      step_apart(std::move(state));
    }
  }
  if (!result_.exhausted) report_endless();
  result_.states = visited_.size();
  return std::move(result_);
}

void Lockstep::push(State state) {
  const std::tuple key{state.a, state.b, state.shared.hash(), state.own_a.hash() * 31 + state.own_b.hash()};
  if (variants_[{state.a, state.b}] >= kMostVariants) return conclude(state);
  const Position parting = state.parting ? state.parting->at : Position{};
  const auto [first, fresh] = visited_.emplace(key, parting);
  if (!fresh) {
    // What comes of it is told of another parting.
    if (first->second != parting) conclude(state);
    return;
  }
  ++variants_[{state.a, state.b}];
  work_.push_back(std::move(state));
}

ValueStore::Truth Lockstep::decide(const State& s, bool of_a, ValueId term) const {
  // Only members of the group are compared: whether one is a member is decided.
  const Value& v = in_.values()[term];
  if (frames_.members().valid() && v.kind == ValueKind::Binary && in_.values().child(term, 1) == frames_.members()) {
    if (v.op == ir::Operator::In) return Truth::Yes;
    if (v.op == ir::Operator::NotIn) return Truth::No;
  }
  if (const Truth own = (of_a ? s.own_a : s.own_b).decide(in_.values(), term); own != Truth::Unknown) return own;
  return s.shared.decide(in_.values(), term);
}

void Lockstep::note(State& state, bool of_a, PathStep::Kind kind, FrameId frame, SourceRange range, std::string what) {
  if (!state.parting) return;
  state.trail = trails_.push_back({state.trail, of_a, {kind, frame, range, std::move(what)}});
}

void Lockstep::go(State& state, bool of_a, uint32_t successor) {
  Position& p = at(state, of_a);
  const ir::Terminator& end = code(p.frame).blocks[p.block].terminator;
  const bool fills = state.parting && filling_side(p) == successor;
  p.block = end.successors[successor];
  p.step = 0;
  if (fills) (of_a ? state.a_fills : state.b_fills) = p;
}

std::optional<uint32_t> Lockstep::filling_side(const Position& branch) {
  const Summary& summary = *frames_[branch.frame].summary;
  const auto [place, added] = filling_.try_emplace({summary.function.index, branch.block.index});
  if (added) place->second = ranklint::filling_side(in_.index(), summary, branch.block);
  return place->second;
}

// Whether a rank that waits does so while it makes something that is kept.
bool Lockstep::makes_what_is_kept(const Position& filling, Position waiting) const {
  if (filling.at_end()) return false;
  while (waiting.frame.valid() && waiting.frame != filling.frame) {
    const Frame& frame = frames_[waiting.frame];
    waiting = frame.caller.valid() ? frame.back : Position{};
  }
  return waiting.frame.valid() && frames_[filling.frame].summary->graph.dominates(filling.block, waiting.block);
}

// Leaves frames whose end is reached, as far as they end there.
void Lockstep::finish_return(Position& p) {
  const Frame& frame = frames_[p.frame];
  p = frame.caller.valid() ? frame.back : Position{};
}

void Lockstep::leave(State& state, bool of_a, bool by_raise, SourceRange range) {
  Position& p = at(state, of_a);
  if (by_raise && !(state.parting && state.parting->at.frame == p.frame)) (of_a ? state.a_raised_deep : state.b_raised_deep) = true;
  if (by_raise) {
    // To the nearest handler around the raise or one of the calls above it.
    while (p.frame.valid()) {
      if (const ir::BlockId handler = code(p.frame).blocks[p.block].handler; handler.valid()) {
        p.block = handler;
        p.step = 0;
        return;
      }
      const Frame& frame = frames_[p.frame];
      p = frame.caller.valid() ? frame.back : Position{};
    }
  }
  p = {};
  (of_a ? state.a_raised : state.b_raised) = by_raise;
  (of_a ? state.a_left : state.b_left) = true;
  (of_a ? state.a_exit : state.b_exit) = range;
}

void Lockstep::part(State& state, SourceRange range, ValueId condition, bool loop, bool local, bool shaky) {
  state.parting = Parting{state.a, range, condition, loop, local, true, shaky, {}, {}, state.shared.all().size()};
  state.trail = {};
  state.a_exit = state.b_exit = {};
  state.a_fills = state.b_fills = {};
  result_.parted.emplace_back(frames_[state.a.frame].summary->function.index, state.a.block.index, state.a.step);
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
          ++at(parted, !a_enters).step;
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
      if (step.call.part != Call::Part::Whole || opens_(target.function)) enter = true;
      if (s->communicates || s->calls_unknown()) {
        // Rank-dependent arguments decide inside.
        const Position inside = frames_.enter(state.a, step, target);
        if (inside.at_end()) continue;
        for (ValueId p : frames_[inside.frame].binding.parameters) enter |= p.valid() && values.shape_diverges(p);
        for (ValueId p : frames_[inside.frame].binding.captures) enter |= p.valid() && values.shape_diverges(p);
      }
      if (s->calls_unknown()) enter = true;
    }
    if (!enter) return skip(std::move(state));
    bool entered = false;
    for (const Target& target : targets) {
      State next = state;
      const Position inside = frames_.enter(state.a, step, target);
      if (inside.at_end()) continue;
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
      state.a.block = state.b.block = join;
      state.a.step = state.b.step = 0;
      return push(std::move(state));
    }
    finish_return(state.a);
    finish_return(state.b);
    if (!state.a.at_end()) push(std::move(state));
    return;
  }
  const ValueId ra = scenario_a_.residual(condition), rb = scenario_b_.residual(condition);
  const Truth a = decide(state, true, ra), b = decide(state, false, rb);
  const bool loop = end.is_loop;
  auto both = [&](State next, bool yes, ValueId learned) {
    if (learned.valid() && !loop) next.shared.choose(values, learned, yes);
    go(next, true, yes ? 0 : 1);
    go(next, false, yes ? 0 : 1);
    push(std::move(next));
  };
  auto split = [&](bool a_yes, bool b_yes, bool local, bool shaky) {
    State next = state;
    part(next, end.range, condition, loop, local, shaky);
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
    next.parting->choices = next.shared.all().size();
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
    go(next, true, decided_yes ? 0 : 1);
    go(next, false, decided_yes ? 0 : 1);
    push(std::move(next));
  }
  split(a == Truth::Unknown ? !decided_yes : decided_yes, b == Truth::Unknown ? !decided_yes : decided_yes, false,
        !values[condition].exact);
}

// Moves one rank to its next stop: a collective on the group, a call that may hold one, a choice, or the end.
Lockstep::Stop Lockstep::advance(State& state, bool of_a) {
  for (int budget = 0; budget < 2000; ++budget) {
    Position& p = at(state, of_a);
    if (p.at_end()) return Stop::End;
    const Frame& frame = frames_[p.frame];
    const BlockSteps& block = frame.summary->blocks[p.block.index];
    if (p.step < block.steps.size()) {
      const Step& step = block.steps[p.step];
      if (step.yields) {
        if (frame.part == Call::Part::UntilYield) {
          finish_return(p);
          continue;
        }
        p.silent = false;
      } else if (step.tears_down) {
        return Stop::Lost;
      } else if (step.leaves) {
        leave(state, of_a, false, step.range);
        continue;
      } else if (!p.silent && frames_.relevant(p.frame, step)) {
        return step.event ? Stop::Event : Stop::Call;
      }
      ++p.step;
      continue;
    }
    const ir::Terminator& end = code(p.frame).blocks[p.block].terminator;
    switch (end.kind) {
      case ir::TerminatorKind::Jump: go(state, of_a, 0); continue;
      case ir::TerminatorKind::Return:
        if (state.parting && p.frame == state.parting->at.frame && end.range.known()) (of_a ? state.a_exit : state.b_exit) = end.range;
        finish_return(p);
        if (!p.at_end() && (of_a ? state.b : state.a) == p) return Stop::Met;
        continue;
      case ir::TerminatorKind::Raise: leave(state, of_a, true, end.range); continue;
      case ir::TerminatorKind::Unreachable: return Stop::Lost;
      case ir::TerminatorKind::Branch:
      case ir::TerminatorKind::Iterate:
      case ir::TerminatorKind::Except: break;
    }
    const ValueId condition = frames_.in_root(p.frame, block.condition);
    if (!frames_.decides(p.frame, p.block, false)) {
      const ir::BlockId join = frame.summary->graph.join(p.block);
      if (join.valid()) {
        p.block = join;
        p.step = 0;
      } else {
        finish_return(p);
      }
      continue;
    }
    const ValueId term = scenario(of_a).residual(condition);
    const Truth t = decide(state, of_a, term);
    if (t == Truth::Unknown) return Stop::Choice;
    go(state, of_a, t == Truth::Yes ? 0 : 1);
  }
  return Stop::Stuck;
}

bool Lockstep::same_call(const State& state) {
  ValueStore& values = in_.values();
  const Step &a = step_at(state.a), &b = step_at(state.b);
  const auto ta = frames_.relevant_targets(state.a.frame, a), tb = frames_.relevant_targets(state.b.frame, b);
  if (ta.size() != tb.size() || ta.empty() || a.call.part != b.call.part) return false;
  for (size_t i = 0; i < ta.size(); ++i) {
    if (ta[i].function != tb[i].function || ta[i].guard != tb[i].guard) return false;
    const Position pa = frames_.enter(state.a, a, ta[i]), pb = frames_.enter(state.b, b, tb[i]);
    if (pa.at_end() || pb.at_end()) return false;
    const auto &xa = frames_[pa.frame].binding.parameters, &xb = frames_[pb.frame].binding.parameters;
    for (size_t p = 0; p < xa.size() && p < xb.size(); ++p) {
      if (!xa[p].valid() || !xb[p].valid()) continue;
      const ValueId ra = scenario_a_.residual(xa[p]), rb = scenario_b_.residual(xb[p]);
      // Flags, groups and sizes decide; data does not.
      const auto ga = in_.as_group(xa[p], false), gb = in_.as_group(xb[p], false);
      if (values[ra].kind == ValueKind::Bool && values[rb].kind == ValueKind::Bool && ra != rb) return false;
      if (size_difference(in_, ra, rb)) return false;
      if (ga && gb && values[xa[p]].kind == ValueKind::Group && values[xb[p]].kind == ValueKind::Group && !(*ga == *gb)) return false;
    }
  }
  return true;
}

void Lockstep::enter_call(const State& state, bool of_a) {
  State base = state;
  const Position from = at(base, of_a);
  const Step& step = step_at(from);
  const auto targets = frames_.relevant_targets(from.frame, step);
  auto skip = [&](State s) {
    ++at(s, of_a).step;
    push(std::move(s));
  };
  bool entered = false;
  for (const Target& target : targets) {
    State next = base;
    if (target.guard.valid()) {
      const ValueId term = scenario(of_a).residual(target.guard);
      if (decide(next, of_a, term) == Truth::No) continue;
    }
    const Position inside = frames_.enter(from, step, target);
    if (inside.at_end()) continue;
    note(next, of_a, PathStep::Kind::Call, from.frame, step.range, std::string(in_.index().qualified_name(target.function)));
    at(next, of_a) = inside;
    entered = true;
    push(std::move(next));
  }
  if (!entered) skip(std::move(base));
}

void Lockstep::step_apart(State state) {
  ValueStore& values = in_.values();
  // What one of them meets first, it meets; then the other, with what was decided meanwhile.
  const Stop sa = advance(state, true);
  const Stop sb = advance(state, false);
  if (state.a == state.b) {
    if (state.a.at_end() && met(state)) conclude(state);
    if (!state.a.at_end()) push(std::move(state));
    return;
  }
  if (sa == Stop::Lost || sb == Stop::Lost) return conclude(state);
  if (state.parting && (sa == Stop::Event) != (sb == Stop::Event) && sa != Stop::End && sb != Stop::End)
    waiting_.try_emplace({state.parting->at, sa == Stop::Event ? state.a : state.b}, state, sa == Stop::Event);
  if (sa == Stop::Stuck || sb == Stop::Stuck) return;
  if (sa == Stop::Met || sb == Stop::Met) return push(std::move(state));
  auto term_of = [&](bool of_a) {
    const Position& p = at(state, of_a);
    return scenario(of_a).residual(frames_.in_root(p.frame, frames_[p.frame].summary->blocks[p.block.index].condition));
  };
  auto is_loop = [&](bool of_a) {
    const Position& p = at(state, of_a);
    return code(p.frame).blocks[p.block].terminator.is_loop;
  };
  const bool loop_a = sa == Stop::Choice && is_loop(true), loop_b = sb == Stop::Choice && is_loop(false);
  // A rank at the head of a loop waits there until the other one has come as far as it can without a decision.
  const bool a_waits = loop_a && !loop_b && (sb == Stop::Call || sb == Stop::Choice);
  const bool b_waits = loop_b && !loop_a && (sa == Stop::Call || sa == Stop::Choice);
  if (a_waits && sb == Stop::Call) return enter_call(state, false);
  if (b_waits && sa == Stop::Call) return enter_call(state, true);
  if (sa == Stop::Choice || sb == Stop::Choice) {
    // Of two loops the inner one turns first; two on one level whose lengths nobody knows go on and end together.
    const int depth_a = state.a.at_end() ? 0 : frames_[state.a.frame].depth, depth_b = state.b.at_end() ? 0 : frames_[state.b.frame].depth;
    const bool both = sa == Stop::Choice && sb == Stop::Choice;
    const bool joint = both && ((loop_a && loop_b && depth_a == depth_b) || term_of(true) == term_of(false));
    const bool of_a = sa == Stop::Choice && !a_waits && !(both && loop_a && loop_b && depth_b > depth_a);
    const ValueId term = term_of(of_a);
    for (const bool yes : {false, true}) {
      State next = state;
      if (!is_loop(of_a)) {
        if (values[term].local && by_local_) (of_a ? next.own_a : next.own_b).choose(values, term, yes);
        else next.shared.choose(values, term, yes);
      }
      go(next, of_a, yes ? 0 : 1);
      if (joint) go(next, !of_a, yes ? 0 : 1);
      push(std::move(next));
    }
    return;
  }
  if (sa == Stop::Call && sb == Stop::Call && same_call(state)) {
    State next = state;
    meet(next);
    note(next, true, PathStep::Kind::Call, state.a.frame, step_at(state.a).range, "");
    note(next, false, PathStep::Kind::Call, state.b.frame, step_at(state.b).range, "");
    ++next.a.step;
    ++next.b.step;
    return push(std::move(next));
  }
  if (sa == Stop::Call) return enter_call(state, true);
  if (sb == Stop::Call) return enter_call(state, false);
  if (sa == Stop::Event && sb == Stop::Event) {
    const Step &a = step_at(state.a), &b = step_at(state.b);
    if (a.event->model->op == b.event->model->op) {
      compare_arguments(state);
      State next = state;
      meet(next);
      note(next, true, PathStep::Kind::Collective, state.a.frame, a.range, a.event->model->op);
      note(next, false, PathStep::Kind::Collective, state.b.frame, b.range, b.event->model->op);
      ++next.a.step;
      ++next.b.step;
      return push(std::move(next));
    }
    return report(state, true);
  }
  if (sa == Stop::Event) return report(state, true);
  if (sb == Stop::Event) return report(state, false);
}

// Both stand at the same operation, in one place or in two.
void Lockstep::compare_arguments(const State& state) {
  if (by_local_) return;
  const Issue a{scenario_a_, state.a.frame, step_at(state.a)}, b{scenario_b_, state.b.frame, step_at(state.b)};
  const std::optional<Disagreement> found = disagreement(in_, frames_, a, b);
  if (!found) return;
  const Frame& frame = frames_[state.a.frame];
  Mismatch m;
  m.cause = found->cause;
  m.function = frame.summary->function;
  m.guard = a.step.range;
  // "I am the root" stands on one side of a choice mostly, and the others' root on the other side.
  const bool chosen = !state.shared.all().empty() || (m.cause == Mismatch::Cause::RootDiffers && state.a == state.b && !on_every_path(state.a));
  m.certainty = chosen ? Certainty::Possible : found->certainty;
  LockstepResult::Found out;
  out.guard = {m.function.index, state.a.block.index, state.a.step};
  if (frame.caller.valid() && !in_.values().shape_diverges(found->first_value)) {
    hand_over(m, state.a.frame);
    out.guard = {m.handed_over_by.index, ~m.handed_over_at.line, m.handed_over_at.column};  // each caller is told apart
  }
  m.group = describe(frames_.group(), in_.index().names());
  m.first.at_collective = m.second.at_collective = true;
  m.first.op = m.second.op = a.step.event->model->op;
  m.first_argument = found->first;
  m.second_argument = found->second;
  if (state.a != state.b)
    m.second.steps.push_back({PathStep::Kind::Collective, frames_[state.b.frame].summary->function, b.step.range, 0, m.second.op, m.group});
  out.mismatch = std::move(m);
  result_.found.push_back(std::move(out));
}

// Whether the two have been in a collective together since they parted.
bool Lockstep::met(const State& state) const {
  if (!state.parting) return false;
  for (TrailId t = state.trail; t.valid(); t = trails_[t].before) {
    const Note& note = trails_[t].note;
    if (note.kind == PathStep::Kind::Collective || (note.kind == PathStep::Kind::Call && note.what.empty())) return true;
  }
  return false;
}

void Lockstep::meet(State& state) {
  if (!met(state)) state.choices_when_met = state.shared.all().size();
}

void Lockstep::conclude(const State& state, Position at) {
  if (state.parting) concluded_.emplace(state.parting->at, at);
}

void Lockstep::report_endless() {
  for (const auto& [place, who] : std::exchange(waiting_, {}))
    if (!concluded_.count(place) && !concluded_.count({place.first, {}}) && found_at_[place.first] == 0)
      report(who.first, who.second, true);
}

std::string Lockstep::describe_ranks(const Parting& parting, bool of_a) const {
  ValueStore& values = in_.values();
  const AxisSet& axes = values.variance(parting.condition);
  const uint32_t rank = scenario(of_a).rank();
  if (parting.local) return of_a == parting.a_first ? "a rank where the condition holds" : "a rank where it does not";
  const std::string name = describe(axes, in_.index().names());
  // Of two that are both not the first, each is called by its number.
  const bool numbered = scenario_a_.coordinate(axes) != 0 && scenario_b_.coordinate(axes) != 0;
  const std::string number = std::to_string(scenario(of_a).coordinate(axes));
  const bool first = rank == 0;
  if (axes.world || axes.empty()) return numbered ? "rank " + number : first ? "rank 0" : "the other ranks";
  if (name.find('?') != name.npos) return first ? "rank 0 of the group" : "the other ranks of the group";
  if (numbered) return name + " rank " + number;
  if (name == "local") return first ? "local rank 0" : "the other local ranks";
  return first ? name + " rank 0" : "the other " + name + " ranks";
}

Arrival Lockstep::arrival(const State& state, bool of_a, bool at_event) {
  Arrival out;
  out.rank = of_a ? scenario_a_.rank() : scenario_b_.rank();
  out.ranks = describe_ranks(*state.parting, of_a);
  const int base = frames_[state.parting->at.frame].depth;
  auto add = [&](const Note& note) {
    PathStep step;
    step.kind = note.kind;
    step.function = frames_[note.frame].summary->function;
    step.range = note.range;
    step.nesting = frames_[note.frame].depth - base;
    step.what = note.what;
    if (note.kind == PathStep::Kind::Collective) step.group = describe(frames_.group(), in_.index().names());
    out.steps.push_back(std::move(step));
  };
  std::vector<const Trail*> trail;
  for (TrailId t = state.trail; t.valid(); t = trails_[t].before)
    if (trails_[t].of_a == of_a) trail.push_back(&trails_[t]);
  for (auto it = trail.rbegin(); it != trail.rend(); ++it) add((*it)->note);
  const Position& p = of_a ? state.a : state.b;
  const SourceRange exit = of_a ? state.a_exit : state.b_exit;
  if (at_event) {
    const Step& step = step_at(p);
    out.at_collective = true;
    out.op = step.event->model->op;
    out.creates_group = step.event->model->kind == ModelKind::GroupCreate || step.event->model->kind == ModelKind::Setup;
    add({PathStep::Kind::Collective, p.frame, step.range, out.op});
  } else if (exit.known()) {
    add({PathStep::Kind::Exit, state.parting->at.frame, exit, (of_a ? state.a_left : state.b_left) ? "raise" : "return"});
  }
  return out;
}

// `if rank == i` in a loop over all ranks: each enters once.
bool Lockstep::takes_turns(ValueId condition) const {
  const ValueStore& values = in_.values();
  const Value& v = values[condition];
  if (v.kind != ValueKind::Binary || (v.op != ir::Operator::Equal && v.op != ir::Operator::NotEqual)) return false;
  return values[values.child(condition, 0)].kind == ValueKind::Element || values[values.child(condition, 1)].kind == ValueKind::Element;
}

bool Lockstep::on_every_path(const Position& p) const {
  const FlowGraph& graph = frames_[p.frame].summary->graph;
  for (ir::BlockId above = graph.dominator(p.block); above.valid(); above = graph.dominator(above)) {
    if (code(p.frame).blocks[above].terminator.kind != ir::TerminatorKind::Branch) continue;
    const ir::BlockId join = graph.join(above);
    if (!join.valid() || !graph.dominates(join, p.block)) return false;
  }
  return true;
}

// Whether it was decided on the way which strategy of sharding is in use.
bool Lockstep::asks_strategy(const State& state) const {
  const auto asks = [&](ValueId condition) {
    const std::string text = in_.values().describe(condition);
    return text.find("distributed_type") != text.npos || text.find("deepspeed") != text.npos || text.find("fsdp") != text.npos;
  };
  const auto& chosen = state.shared.all();
  return asks(state.parting->condition) || std::any_of(chosen.begin(), chosen.end(), [&](const auto& c) { return asks(c.first); });
}

// A rank that raises is a rank that failed: only where the parting itself is what a rank sees alone (its own loss,
// its own clock) and the raise stands in its arm is that a decision of the program.
bool Lockstep::left_by_failure(const State& state, bool of_a) const {
  if (!(of_a ? state.a_left : state.b_left)) return false;
  if (of_a ? state.a_raised_deep : state.b_raised_deep) return true;
  // Who waited too long gives up.
  if (state.parting->local && local_reason(state.parting->condition) == "clock" && (of_a ? state.a_raised : state.b_raised)) return true;
  // Straight out of its arm, with nothing else to decide on the way.
  return !state.parting->local && state.shared.all().size() != state.parting->choices;
}

// The outermost call on the way to a frame: who hands over what differs.
void Lockstep::hand_over(Mismatch& m, FrameId frame) const {
  while (frames_[frames_[frame].caller].caller.valid()) frame = frames_[frame].caller;
  m.handed_over_by = frames_[frames_[frame].caller].summary->function;
  m.handed_over_at = frames_[frame].call_range;
}

// What a rank alone sees that the condition depends on.
std::string_view Lockstep::local_reason(ValueId condition) const {
  const ValueStore& values = in_.values();
  const ValueId seen = values.find_part(condition, [&](ValueId v) { return values[v].kind == ValueKind::Local; });
  return seen.valid() ? in_.index().names().text(Symbol{values[seen].c}) : std::string_view();
}

// In `x in ranks and y == z` the first operand tests; under a comparison nothing is a test of its own.
bool Lockstep::tests_membership(ValueId condition) const {
  const ValueStore& values = in_.values();
  std::vector<ValueId> work{condition};
  std::set<ValueId> seen;
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (!seen.insert(v).second) continue;
    const Value& value = values[v];
    if (value.op == ir::Operator::In || value.op == ir::Operator::NotIn) return true;
    if (value.kind == ValueKind::Binary) continue;
    work.insert(work.end(), values.children(v).begin(), values.children(v).end());
  }
  return false;
}

// Whether the group is known by an expression only, and the condition does not ask for the rank in it: then the
// ranks that the condition tells apart need not both be members.
bool Lockstep::unknown_group(ValueId condition) const {
  const AxisSet& group = frames_.group();
  const SymbolTable& names = in_.index().names();
  const bool unknown = std::any_of(group.axes.begin(), group.axes.end(),
                                   [&](Symbol axis) { return names.text(axis).find(kHidden) != std::string_view::npos; });
  const AxisSet& asked = in_.values().variance(condition);
  const bool asks_it = std::any_of(asked.axes.begin(), asked.axes.end(), [&](Symbol axis) { return names.text(axis) == "?"; });
  return unknown && !asks_it && !in_.values()[condition].local && (asked.world || !overlap(asked, group));
}

void Lockstep::report(const State& state, bool a_at_event, bool endless) {
  conclude(state);
  if (!state.parting || (!endless && left_by_failure(state, !a_at_event))) return;
  const Parting& parting = *state.parting;
  ValueStore& values = in_.values();
  const bool first_is_a = a_at_event;
  const Position& waiting = first_is_a ? state.a : state.b;
  const Position other = endless ? Position{} : first_is_a ? state.b : state.a;
  const bool other_left = first_is_a ? state.b_left : state.a_left;
  const bool other_raised = first_is_a ? state.b_raised : state.a_raised;
  Mismatch m;
  const Step& event = step_at(waiting);
  const Frame& frame = frames_[parting.at.frame];
  m.function = frame.summary->function;
  m.guard = parting.range;
  m.guard_axes = values.variance(parting.condition);
  m.group = describe(frames_.group(), in_.index().names());
  if (parting.local) {
    m.cause = parting.loop ? Mismatch::Cause::LocalLoop : Mismatch::Cause::LocalBranch;
    m.local_reason = local_reason(parting.condition);
  } else {
    m.cause = parting.loop ? Mismatch::Cause::RankLoop : Mismatch::Cause::RankBranch;
  }
  const bool other_at_event = !other.at_end();
  // The call of the root that leads to where they part, where it is the call that hands over what differs.
  if (frame.caller.valid() && !in_.values().diverges(frame.summary->blocks[parting.at.block.index].condition)) {
    hand_over(m, parting.at.frame);
    if (parting.local) m.certainty = Certainty::Possible;  // what a caller happens to pass
  }
  m.first = arrival(state, first_is_a, true);
  m.second = arrival(state, !first_is_a, other_at_event);
  // A collective that both make, but not as first, says less than one that only one of them makes.
  m.certainty = std::min({m.certainty, frames_[waiting.frame].certainty, model_certainty(*event.event->model),
                          in_.group_certainty(frames_.in_root(waiting.frame, event.event->group))});
  if (values[parting.condition].believed) m.certainty = std::min(m.certainty, Certainty::Likely);
  if (parting.shaky) m.certainty = std::min(m.certainty, Certainty::Likely);
  if (parting.local)
    m.certainty = std::min(m.certainty, m.local_reason == "file system" || m.local_reason == "memory" || m.local_reason == "host"
                                            ? Certainty::Possible : Certainty::Likely);
  if (!state.shared.all().empty()) m.certainty = std::min(m.certainty, Certainty::High);
  if (makes_what_is_kept(first_is_a ? state.a_fills : state.b_fills, waiting)) m.certainty = Certainty::Possible;
  if (takes_turns(parting.condition)) m.certainty = Certainty::Possible;
  // What communicates in some set-ups only, on a way that is taken in the others only.
  if (event.event->model->conditional && asks_strategy(state)) m.certainty = Certainty::Possible;
  // One rank that raises on its own number checks its input, most of the time.
  if (other_left) m.certainty = std::min(m.certainty, parting.local || !other_raised ? Certainty::Likely : Certainty::Possible);
  // "Is this rank among the members" around a group that is not known otherwise: most likely its own members.
  const bool rank_zero_alone = values.variance(parting.condition).world && parting.decided;
  if (!frames_.group().world && (tests_membership(parting.condition) || (!rank_zero_alone && unknown_group(parting.condition))))
    m.certainty = Certainty::Possible;
  // Where the other class left before the collective, in the text too.
  // Sides that have met in a collective since they parted were written to go together; where it takes further
  // decisions to tell them apart, those are hardly free.
  if (met(state) && state.shared.all().size() > state.choices_when_met) m.certainty = Certainty::Possible;
  const SourceRange exit = first_is_a ? state.b_exit : state.a_exit;
  SourceRange own = m.first.steps.back().range;
  for (const PathStep& step : m.first.steps)
    if (step.nesting <= 0 && step.kind != PathStep::Kind::Branch) own = step.range;
  const ir::Function& f = in_.index().function(m.function);
  const ir::BlockId other_side = first_is_a ? parting.side_b : parting.side_a;
  if (exit.known() && exit.line < own.line && exit.line >= parting.range.line && exit != parting.range) {
    m.left_early = true;
    m.exit = exit;
  } else if (other_side.valid() && !parting.loop) {
    // continue or break: the side jumps to a loop's head or end while the collective stands further down.
    const ir::Block& side = f.blocks[other_side];
    const bool written = side.terminator.kind == ir::TerminatorKind::Jump && side.terminator.range.known() &&
                         side.terminator.range.line < own.line && side.terminator.range.line >= parting.range.line;
    if (written) {
      m.left_early = true;
      m.exit = side.terminator.range;
    }
  }
  if (other_at_event) {
    const ir::BlockId join = frame.summary->graph.join(parting.at.block);
    // Both inside their arms: the other's collective stands before the sides meet.
    Position p = other;
    while (p.frame.valid() && p.frame != parting.at.frame) {
      const Frame& inner = frames_[p.frame];
      p = inner.caller.valid() ? inner.back : Position{};
    }
    m.inside_other_arm = p.frame == parting.at.frame && other_side.valid() && frame.summary->graph.dominates(other_side, p.block) &&
                         join.valid() && !frame.summary->graph.dominates(join, p.block) && other_side != join;
  }
  for (const auto& [term, value] : state.shared.all())
    if (const std::string text = in_.spell(term); !text.empty())
      m.assumptions.push_back("`" + text + "`" + (value ? " holds" : " does not hold"));
  ++found_at_[parting.at];
  LockstepResult::Found found;
  found.mismatch = std::move(m);
  found.at_end = other.at_end() && !(first_is_a ? state.b_left : state.a_left);
  found.guard = {frame.summary->function.index, parting.at.block.index, parting.at.step};
  result_.found.push_back(std::move(found));
}

}  // namespace ranklint
