// The ranks at two places: each moves alone to its next stop, and the two stops say how it goes on.
#include <algorithm>
#include <set>

#include "analyzer/compare/flags.h"
#include "analyzer/compare/lockstep.h"
#include "analyzer/compare/sizes.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

using Truth = ValueStore::Truth;

// Whether every way from the block ends behind what never returns: `if (a) exit(1); else abort();`.
static bool ends_the_process(const ir::Function& function, ir::BlockId from) {
  std::set<ir::BlockId> seen{from};
  std::vector<ir::BlockId> work{from};
  while (!work.empty()) {
    const ir::Block& block = function.blocks[work.back()];
    work.pop_back();
    if (block.terminator.kind == ir::TerminatorKind::Return || block.terminator.kind == ir::TerminatorKind::Raise) return false;
    for (const ir::BlockId next : FlowGraph::successors(block))
      if (seen.insert(next).second) work.push_back(next);
  }
  return true;
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
        // The end of a program, not what setting up anew or a failure begins with.
        if (!state.parting || (of_a ? state.a_caught : state.b_caught) || !frames_.lies_around(p.frame, state.parting->at.frame)) return Stop::Lost;
        p = {};
        (of_a ? state.a_gone : state.b_gone) = true;
        return Stop::End;
      } else if (step.leaves) {
        // Who ends the process over its own loss has failed: the launcher ends the others.
        leave(state, of_a, state.parting && state.parting->local && local_reason(in_.values(), in_.index(), state.parting->condition) == ValueStore::kBatch, step.range);
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
        if (!p.at_end() && is_same_place(state)) return Stop::Met;
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
        come_to(p, join);
      } else if (const std::optional<SourceRange> raise = only_raises(p)) {
        leave(state, of_a, true, *raise);
      } else if (ends_the_process(code(p.frame), p.block)) {
        return Stop::Lost;
      } else {
        finish_return(p);
      }
      continue;
    }
    const ValueId term = scenario(of_a).residual(condition);
    Truth t = decide(state, of_a, term);
    if (t == Truth::Unknown && end.is_loop) t = another_round(state, of_a, term);
    if (t == Truth::Unknown) return Stop::Choice;
    go(state, of_a, t == Truth::Yes ? 0 : 1);
  }
  return Stop::Stuck;
}

bool Lockstep::same_call(const State& state) {
  ValueStore& values = in_.values();
  const Step &a = step_at(state.a), &b = step_at(state.b);
  const auto ta = frames_.relevant_targets(state.a.frame, a), tb = frames_.relevant_targets(state.b.frame, b);
  const auto is_bool = [&](ValueId v) { return values[v].kind == ValueKind::Bool; };
  if (ta.size() != tb.size() || ta.empty() || a.call.part != b.call.part) return false;
  for (size_t i = 0; i < ta.size(); ++i) {
    if (ta[i].function != tb[i].function || ta[i].guard != tb[i].guard) return false;
    // One half of a context manager alone need not be the same on both: what one does on the way in the other may do on the way out.
    if (opens_(ta[i].function) || (a.call.part != Call::Part::Whole && in_.summary(ta[i].function)->has_divergence)) return false;
    const Position pa = frames_.enter(state.a, a, ta[i]), pb = frames_.enter(state.b, b, tb[i]);
    if (pa.at_end() || pb.at_end()) return false;
    const auto &xa = frames_[pa.frame].binding.parameters, &xb = frames_[pb.frame].binding.parameters;
    for (size_t p = 0; p < xa.size() && p < xb.size(); ++p) {
      if (!xa[p].valid() || !xb[p].valid()) continue;
      const ValueId ra = scenario_a_.residual(xa[p]), rb = scenario_b_.residual(xb[p]);
      // Flags, groups and sizes decide; data does not.
      const auto ga = in_.as_group(xa[p], false), gb = in_.as_group(xb[p], false);
      if (ra != rb && is_bool(ra) && is_bool(rb)) return false;
      const bool flags = (is_bool(ra) || is_flag(values, ra)) && (is_bool(rb) || is_flag(values, rb));
      if (ra != rb && flags && asks_flag(values, *frames_[pa.frame].summary, static_cast<uint32_t>(p))) return false;
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
    if (targets.size() > 1) turn(next, of_a ? Whose::A : Whose::B, Turn::Kind::Target, from, target.function.index);
    note(next, of_a, PathStep::Kind::Call, from.frame, step.range, std::string(in_.index().qualified_name(target.function)));
    at(next, of_a) = inside;
    entered = true;
    push(std::move(next));
  }
  if (!entered) skip(std::move(base));
}

// Whether one that stands at the head of a loop goes round at all, as far as that is known.
Truth Lockstep::first_round(const State& state, bool of_a, ValueId more) const {
  if (!(of_a ? state.a : state.b).entering) return Truth::Unknown;
  if (const auto turns = constant_turns(in_.values(), in_.index(), more)) return *turns > 0 ? Truth::Yes : Truth::No;
  return state.loops.decide(in_.values(), more);
}

bool Lockstep::communicates_in_loop(const Position& head) const {
  return std::ranges::any_of(frames_[head.frame].summary->graph.loop_blocks(head.block), [&](ir::BlockId b) { return frames_.relevant_block(head.frame, b); });
}

// Whether a loop stands in another one of the same function.
bool Lockstep::lies_inside(const Position& inner, const Position& outer) const {
  return inner.frame == outer.frame && inner.block != outer.block && frames_[outer.frame].summary->graph.lies_in_loop(inner.block, outer.block);
}

void Lockstep::step_apart(State state) {
  ValueStore& values = in_.values();
  // What one of them meets first, it meets; then the other, with what was decided meanwhile.
  const Stop sa = advance(state, true);
  const Stop sb = advance(state, false);
  if (is_same_place(state)) {
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
    return state.shared.open_part(values, scenario(of_a).residual(frames_.in_root(p.frame, frames_[p.frame].summary->blocks[p.block.index].condition)));
  };
  auto is_loop = [&](bool of_a) {
    const Position& p = at(state, of_a);
    return code(p.frame).blocks[p.block].terminator.is_loop;
  };
  const bool loop_a = sa == Stop::Choice && is_loop(true), loop_b = sb == Stop::Choice && is_loop(false);
  // A rank at the head of a loop waits there until the other one has come as far as it can without a decision. From a loop
  // in which it only may fail it goes on, to a call that the other may stand at.
  const bool a_waits = loop_a && !loop_b && (sb == Stop::Choice || (sb == Stop::Call && communicates_in_loop(state.a)));
  const bool b_waits = loop_b && !loop_a && (sa == Stop::Choice || (sa == Stop::Call && communicates_in_loop(state.b)));
  if (a_waits && sb == Stop::Call) return enter_call(state, false);
  if (b_waits && sa == Stop::Call) return enter_call(state, true);
  if (sa == Stop::Choice || sb == Stop::Choice) {
    // Of two loops the inner one turns first; two on one level whose lengths nobody knows go on and end together.
    const int depth_a = state.a.at_end() ? 0 : frames_[state.a.frame].depth, depth_b = state.b.at_end() ? 0 : frames_[state.b.frame].depth;
    const bool both = sa == Stop::Choice && sb == Stop::Choice;
    const Truth first_a = loop_a ? first_round(state, true, term_of(true)) : Truth::Unknown;
    const Truth first_b = loop_b ? first_round(state, false, term_of(false)) : Truth::Unknown;
    const bool differ = first_a != first_b && first_a != Truth::Unknown && first_b != Truth::Unknown;
    // One that comes round and one that comes in: over the same thing, they are a round apart for good.
    const bool round_apart = loop_a && loop_b && state.a.frame == state.b.frame && state.a.block == state.b.block &&
                             state.a.entering != state.b.entering && term_of(true) == term_of(false);
    const bool b_inside = loop_a && loop_b && lies_inside(state.b, state.a), a_inside = loop_a && loop_b && lies_inside(state.a, state.b);
    const bool joint = both && !differ && !round_apart && !a_inside && !b_inside && ((loop_a && loop_b && depth_a == depth_b) || term_of(true) == term_of(false));
    const bool of_a = sa == Stop::Choice && !a_waits && !(both && loop_a && loop_b && (depth_b > depth_a || b_inside));
    const ValueId term = term_of(of_a);
    const auto turns_a = joint ? constant_turns(values, in_.index(), term_of(true)) : std::nullopt;
    const auto turns_b = joint ? constant_turns(values, in_.index(), term_of(false)) : std::nullopt;
    // Of two that turn another number of times the longer one goes on when the shorter one ends.
    const bool uneven = turns_a && turns_b && *turns_a != *turns_b;
    for (const bool yes : {false, true}) {
      const Truth excluded = yes ? Truth::No : Truth::Yes;
      if (!uneven && ((of_a || joint) ? first_a == excluded : false)) continue;
      if (!uneven && ((!of_a || joint) ? first_b == excluded : false)) continue;
      State next = state;
      for (const bool one : {true, false}) {
        const Position& p = at(next, one);
        if ((one != of_a && !joint) || p.at_end() || !p.entering || !(one ? loop_a : loop_b) || uneven) continue;
        if (!values[term_of(one)].local) next.loops.choose(values, term_of(one), yes);
      }
      if (!is_loop(of_a)) {
        if (values[term].local && by_local_) (of_a ? next.own_a : next.own_b).choose(values, term, yes);
        else next.shared.choose(values, term, yes);
      }
      const bool own = yes || (uneven && (*turns_a > *turns_b) == of_a), other = yes || (uneven && (*turns_a > *turns_b) != of_a);
      turn(next, of_a ? Whose::A : Whose::B, Turn::Kind::Side, at(next, of_a), own ? 0 : 1);
      if (joint) turn(next, of_a ? Whose::B : Whose::A, Turn::Kind::Side, at(next, !of_a), other ? 0 : 1);
      go(next, of_a, own ? 0 : 1);
      if (joint) go(next, !of_a, other ? 0 : 1);
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
    if (frames_.of_two_groups() && frames_.event_group(state.a.frame, *a.event) != frames_.event_group(state.b.frame, *b.event))
      return report_crossing(state);
    if (a.event->model->op == b.event->model->op) {
      compare_arguments(state);
      State next = state;
      meet(next);
      note(next, true, PathStep::Kind::Collective, state.a.frame, a.range, a.event->model->op, group_name(state.a.frame, a));
      note(next, false, PathStep::Kind::Collective, state.b.frame, b.range, b.event->model->op, group_name(state.b.frame, b));
      ++next.a.step;
      ++next.b.step;
      return push(std::move(next));
    }
    return report(state, true);
  }
  if (sa == Stop::Event) return report(state, true);
  if (sb == Stop::Event) return report(state, false);
}

}  // namespace ranklint
