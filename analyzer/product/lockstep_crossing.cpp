// A walk over two groups at once, each of which is in order by itself: two ranks that share both and take them in
// turns. One waits in the first group for the other, which waits in the second for it.
#include <algorithm>
#include <tuple>

#include "analyzer/execution/membership.h"
#include "analyzer/product/lockstep.h"

namespace ranklint {

namespace {

// It waits where it is: what MPI calls immediate lets the rank go on.
bool waits_in(const Event& event) { return !event.model->handle.present(); }

}  // namespace

// Whether a rank that got past the operation it stands at would come to one on the group, with nothing left to choose.
bool Lockstep::goes_on_to(State state, Who who, const AxisSet& group) {
  for (int budget = 0; budget < 64; ++budget) {
    state[who].at.pass_step();
    Stop stop = advance(state, who);
    while (stop == Stop::Call) {
      const Position p = state[who].at;
      const std::vector<Target> targets = frames_.relevant_targets(p.frame, step_at(p));
      if (targets.size() != 1 || targets[0].guard.valid()) return false;
      const Position inside = frames_.enter(p, step_at(p), targets[0]);
      if (inside.at_end()) return false;
      state[who].at = inside;
      stop = advance(state, who);
    }
    if (stop != Stop::Event) return false;
    if (frames_.event_group(state[who].at.frame, *step_at(state[who].at).event) == group) return true;
  }
  return false;
}

// Each waits in a group for the other, which waits in the other group for it.
void Lockstep::report_crossing(const State& state) {
  if (!state.divergence || state.divergence->local) return;
  if (!waits_in(*step_at(state[A].at).event) || !waits_in(*step_at(state[B].at).event)) return;
  const AxisSet of_a = frames_.event_group(state[A].at.frame, *step_at(state[A].at).event);
  const AxisSet of_b = frames_.event_group(state[B].at.frame, *step_at(state[B].at).event);
  if (!goes_on_to(state, A, of_b) || !goes_on_to(state, B, of_a)) return;
  const Divergence& divergence = *state.divergence;
  Mismatch m;
  m.cause = Mismatch::Cause::GroupsCross;
  m.function = frames_[divergence.at.frame].summary->function;
  m.guard = divergence.range;
  m.guard_axes = describe(in_.values().variance(divergence.condition), in_.index().names());
  std::tie(m.first, m.second) = arrivals(state, A, true);
  m.group = m.first.steps.back().group;
  m.certainty = Confidence::High;
  for (const Position& p : {state[A].at, state[B].at}) {
    const Event& event = *step_at(p).event;
    const CodePlace waits{frames_[p.frame].summary->function, step_at(p).range};
    m.certainty.lower_to(frames_.assurance(p.frame));
    m.certainty.lower_to(model_certainty(*event.model, waits));
    m.certainty.lower_to(in_.group_certainty(frames_.in_root(p.frame, event.group), waits));
  }
  if (!state.shared.all().empty()) m.certainty.lower_to(Confidence::Likely);
  assume_of_divergence(m, divergence, m.certainty);
  assume_choices(state.shared, m.certainty);
  if (tests_membership(in_.values(), divergence.condition))
    m.certainty.doubt({Reason::TestsMembership, {m.function, m.guard}});
  if (divergence.loop) m.certainty.doubt({Reason::PartsInLoop, {m.function, m.guard}});
  ++found_at_[divergence.at];
  LockstepResult::Found found;
  found.guard = {m.function.index, divergence.at.block.index, divergence.at.step};
  found.mismatch = std::move(m);
  found.trace = trace_of(state, A);
  result_.found.push_back(std::move(found));
}

}  // namespace ranklint
