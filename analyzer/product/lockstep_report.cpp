// Two classes of ranks that do not agree, as a mismatch: which waits, which does something else or has left, and on
// which paths.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>

#include "analyzer/doubts/doubts.h"
#include "analyzer/product/lockstep.h"
#include "analyzer/questions/other_way.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/given.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

std::string Lockstep::group_name(FrameId frame, const Step& step) {
  return describe(frames_.event_group(frame, *step.event), in_.index().names());
}

// Calls that were followed and in which nothing happened: what comes next is not inside of them.
static void drop_returned_calls(std::vector<PathStep>& steps) {
  std::vector<PathStep> kept;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const bool leads_nowhere = step->kind == PathStep::Kind::Call && !step->what.empty() &&
                               (kept.empty() || kept.back().nesting <= step->nesting);
    if (!leads_nowhere) kept.push_back(std::move(*step));
  }
  steps.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

// Takes for granted what both ranks were taken to find alike. Of two terms that read the same and come out differently
// nothing is said.
void Lockstep::assume_choices(const PathCondition& shared, Assurance& sure) const {
  std::vector<std::pair<std::string, bool>> all;
  for (const auto& [term, holds] : shared.all())
    if (std::string text = in_.source_text(term); !text.empty()) all.emplace_back(std::move(text), holds);
  bool says_some = false;
  for (const auto& [text, holds] : all) {
    if (std::ranges::find(all, std::pair(text, !holds)) != all.end()) continue;
    says_some = true;
    sure.assume({.kind = AssumptionKind::BranchTaken, .subject = text, .holds = holds});
  }
  if (!shared.all().empty() && !says_some && sure.doubts().empty() && sure.assumptions().empty())
    sure.assume({.kind = AssumptionKind::RulePremise, .subject = "decisions on the way fall alike on both ranks"});
}

Arrival Lockstep::arrival(const State& state, Who who, bool at_event) {
  Arrival out;
  out.rank = scenario(who).rank();
  const int base = frames_[state.divergence->at.frame].depth;
  auto add = [&](const Note& note) {
    PathStep step;
    step.kind = note.kind;
    step.function = frames_[note.frame].summary->function;
    step.range = note.range;
    step.nesting = frames_[note.frame].depth - base;
    step.outcome = note.outcome;
    step.what = note.what;
    step.group = note.group;
    out.steps.push_back(std::move(step));
  };
  std::vector<const Trail*> trail;
  for (TrailId t = state.trail; t.valid(); t = trails_[t].before)
    if (trails_[t].who == who) trail.push_back(&trails_[t]);
  for (auto it = trail.rbegin(); it != trail.rend(); ++it) add((*it)->note);
  const Position& p = state[who].at;
  const SourceRange exit = state[who].exit_range;
  if (at_event) {
    const Step& step = step_at(p);
    out.at_collective = true;
    out.op = step.event->model->op;
    out.about = step.event->model->about;
    out.if_sharded = step.event->model->if_sharded;
    out.called = last_part(step.event->model->name);
    out.creates_group =
        step.event->model->kind == ModelKind::GroupCreate || step.event->model->kind == ModelKind::Setup;
    for (FrameId f = p.frame; f.valid() && f != state.divergence->at.frame; f = frames_[f].caller) {
      const FunctionKey function = frames_[f].summary->function;
      out.in_generator |= in_.index().function(function).is_generator && !in_.is_context_manager(function);
    }
    add({.kind = PathStep::Kind::Collective,
         .frame = p.frame,
         .range = step.range,
         .what = out.op,
         .group = group_name(p.frame, step)});
  } else if (exit.known()) {
    const PathStep::Outcome how = way_out(state, who);
    // The last line of a function may lie in an arm that the rank did not take: its end is said of the function.
    const ir::Function& f = code(state.divergence->at.frame);
    const bool by_name = how == PathStep::Outcome::End && f.kind == ir::FunctionKind::Function && f.name_range.known();
    add({.kind = PathStep::Kind::Exit,
         .frame = state.divergence->at.frame,
         .range = by_name ? f.name_range : exit,
         .outcome = how});
  }
  drop_returned_calls(out.steps);
  out.warms_up = std::ranges::any_of(out.steps, [&](const PathStep& step) {
    const std::string_view called = std::string_view(step.what).substr(0, step.what.find('('));
    return step.kind == PathStep::Kind::Call && in_.priors().suggest(last_part(called), NameMeaning::WarmUp);
  });
  return out;
}

std::pair<Arrival, Arrival> Lockstep::arrivals(const State& state, Who first, bool second_at_event) {
  Two<Arrival> all;
  all[first] = arrival(state, first, true);
  all[other(first)] = arrival(state, other(first), second_at_event);
  name_classes(state, all.a, all.b);
  return {std::move(all[first]), std::move(all[other(first)])};
}

bool Lockstep::stands_elsewhere_too(const Position& p, std::string_view op) const {
  if (frames_[p.frame].caller.valid() && stands_elsewhere_too(frames_[p.frame].back, op)) return true;
  return has_on_another_way(in_, *frames_[p.frame].summary, p.block, op);
}

// A rank that raises is a rank that failed: only where the divergence itself is what a rank sees alone (its own loss,
// its own clock) and the raise stands in its arm is that a decision of the program. So is the end of a process that
// says that nothing went wrong, where the way to it does not turn on what this rank alone sees
// (exception-skips-collective).
bool Lockstep::left_by_failure(const State& state, Who who) const {
  if (!state[who].has_left()) return false;
  if (after_failure_) return state[who].exit != Exit::Done;
  if (state[who].raised_deep) return true;
  const auto saw_alone = [&](const auto& choice) { return in_.values()[choice.first].local; };
  if (state[who].exit == Exit::Done && std::ranges::none_of(state.shared.all(), saw_alone)) return false;
  // A rank that waited too long gives up, and so does one whose loss is no number.
  const LocalSource source = state.divergence->local
                                 ? local_source(in_.values(), in_.index(), state.divergence->condition)
                                 : LocalSource::None;
  const bool own_failure = source == LocalSource::Clock || source == LocalSource::Batch;
  if (own_failure && state[who].exit == Exit::Raised) return true;
  // Straight out of its arm, with nothing else to decide on the way.
  return state.shared.all().size() != state.divergence->taken.all().size();
}

// The call on the way to a frame that hands over what is its caller's own; where none does, the outermost.
void Lockstep::hand_over(Mismatch& m, FrameId frame, const std::function<bool(ValueId)>& is_own) const {
  const auto gives_own = [&](FrameId called) {
    const Call& call = frames_[frames_[called].caller]
                           .summary->blocks[frames_[called].back.block.index]
                           .steps[frames_[called].back.step - 1]
                           .call;
    return gives(call, is_own);
  };
  while (frames_[frames_[frame].caller].caller.valid() && !gives_own(frame)) frame = frames_[frame].caller;
  m.handed_over_by = frames_[frames_[frame].caller].summary->function;
  m.handed_over_at = frames_[frame].call_range;
}

// A guard around a call of a callee that a caller passed or a decorator wraps is as good as its argument: the finding
// belongs to the code that passes it. A wrapped function is named where it is defined, for any caller.
bool Lockstep::hand_over_callee(Mismatch& m, FrameId guarded, FrameId waiting) const {
  FrameId entered = waiting;
  while (entered.valid() && entered != guarded && frames_[entered].caller != guarded) entered = frames_[entered].caller;
  if (!entered.valid() || entered == guarded) return false;
  const Position& back = frames_[entered].back;
  const Step& call = frames_[guarded].summary->blocks[back.block.index].steps[back.step - 1];
  const ValueKind callee = in_.values()[call.call.callee].kind;
  if (callee != ValueKind::Free && callee != ValueKind::Parameter) return false;
  const FunctionKey inner = frames_[entered].summary->function;
  if (callee == ValueKind::Free && !in_.index().function(inner).decorators.empty()) {
    m.handed_over_by = inner;
    m.handed_over_at = in_.index().function(inner).name_range;
  } else if (frames_[guarded].caller.valid()) {
    hand_over(m, guarded, [&](ValueId given) {
      return std::ranges::any_of(in_.targets(given), [&](const Target& t) { return t.function == inner; });
    });
  } else {
    return false;
  }
  return true;
}

// continue or break: the side jumps to a loop's head or end while the collective stands further down.
std::optional<SourceRange> Lockstep::jump_of(FunctionKey function, ir::BlockId side) const {
  const ir::Terminator& end = in_.index().function(function).blocks[side].terminator;
  return end.kind == ir::TerminatorKind::Jump && end.range.known() ? std::optional(end.range) : std::nullopt;
}

// Where the other class left before the collective, in the text too. `own`: where the collective stands.
void Lockstep::note_early_leave(Mismatch& m, const Encounter& encounter, const SourceRange& own) const {
  const Divergence& divergence = *encounter.state.divergence;
  const SourceRange exit = encounter.state[other(encounter.first)].exit_range;
  const ir::BlockId other_side = divergence.side[other(encounter.first)];
  const auto stands_between = [&](const SourceRange& range) {
    return range.line < own.line && range.line >= divergence.range.line;
  };
  std::optional<SourceRange> left;
  if (exit.known() && stands_between(exit) && exit != divergence.range)
    left = exit;
  else if (other_side.valid() && !divergence.loop)
    left = jump_of(m.function, other_side);
  if (!left || !stands_between(*left)) return;
  m.left_early = true;
  const Note* jump = leaving_jump(encounter);
  m.exit = jump ? jump->range : *left;
}

// Both inside their arms: the other's collective stands before the sides meet.
bool Lockstep::is_inside_other_arm(const Encounter& encounter) const {
  const Divergence& divergence = *encounter.state.divergence;
  const FlowGraph& graph = frames_[divergence.at.frame].summary->graph();
  const ir::BlockId join = graph.join(divergence.at.block), other_side = divergence.side[other(encounter.first)];
  const ir::BlockId block = frames_.block_in(divergence.at.frame, encounter.other);
  return block.valid() && other_side.valid() && graph.dominates(other_side, block) && join.valid() &&
         !graph.dominates(join, block) && other_side != join;
}

Assurance Lockstep::assurance_of(const Encounter& e, const Mismatch& m, const SourceRange& own) {
  const Divergence& divergence = *e.state.divergence;
  const Event& event = *step_at(e.waiting).event;
  const CodePlace waits{frames_[e.waiting.frame].summary->function, step_at(e.waiting).range};
  Assurance sure = frames_.assurance(e.waiting.frame);
  sure.lower_to(model_certainty(*event.model, waits));
  sure.lower_to(in_.group_certainty(frames_.in_root(e.waiting.frame, event.group), waits));
  if (!e.state.shared.all().empty()) sure.lower_to(Confidence::High);
  for (const Doubt& doubt : doubts_about({in_, frames_, scenario(A), scenario(B), e, m, own})) sure.doubt(doubt);
  assume_of_divergence(m, divergence, sure);
  if (e.other_left()) {
    sure.lower_to(Confidence::Likely);
    sure.assume({.kind = AssumptionKind::LeavesForGood,
                 .subject = std::string(in_.index().qualified_name(m.function)),
                 .place = {m.function, e.state[other(e.first)].exit_range}});
  }
  return sure;
}

// Whether it asks for numbers alone, which both ranks have, and neither has the answer.
bool Lockstep::was_not_computed(ValueId condition) const {
  return std::ranges::all_of(std::array{A, B}, [&](Who who) {
    const ValueId asked = scenario(who).residual(condition);
    return in_.values().truth(asked) == ValueStore::Truth::Unknown && asks_numbers(in_.values(), in_.index(), asked);
  });
}

// What the divergence of the ranks and the group rest on.
void Lockstep::assume_of_divergence(const Mismatch& m, const Divergence& divergence, Assurance& sure) const {
  const ValueStore& values = in_.values();
  const CodePlace guard{m.function, m.guard};
  const ValueId believed =
      values.find_part(divergence.condition, [&](ValueId part) { return values[part].kind == ValueKind::Believed; });
  const bool rests_on_name = in_.values()[divergence.condition].believed;
  if (rests_on_name) sure.lower_to(Confidence::Likely);
  if (std::string name = in_.source_text(believed.valid() ? believed : divergence.condition);
      rests_on_name || (believed.valid() && !name.empty()))
    sure.assume(
        {.kind = AssumptionKind::NamePrior, .subject = name.empty() ? "rank" : std::move(name), .place = guard});
  if (divergence.one_sided || was_not_computed(divergence.condition)) {
    sure.lower_to(Confidence::Likely);
    sure.assume({.kind = AssumptionKind::RanksPart, .subject = in_.source_text(divergence.condition), .place = guard});
  }
  if (divergence.local && !after_failure_) {
    sure.lower_to(Confidence::Likely);
    sure.assume({.kind = AssumptionKind::SourceDiffers, .subject = m.local_reason, .place = guard});
  }
  if (!frames_.group().world && !frames_.members().valid())
    sure.assume({.kind = AssumptionKind::GroupHasMembers, .subject = m.group, .place = guard});
}

// The value that the condition is, or denies; none where it is made of more.
static SeenAt flag_asked(const Query& in, ValueId condition) {
  const ValueStore& values = in.values();
  while (values[condition].kind == ValueKind::Unary && values[condition].op == ir::Operator::Not)
    condition = values.child(condition, 0);
  const Value& seen = values[condition];
  const Site* site = in.made_at(condition);
  if (!site || seen.kind != ValueKind::Local) return {};
  return {*site, seen.b};
}

void Lockstep::report(const State& state, Who waits, bool endless) {
  conclude(state);
  if (!state.divergence || frames_.of_two_groups() || (!endless && left_by_failure(state, other(waits)))) return;
  const Divergence& divergence = *state.divergence;
  const ValueStore& values = in_.values();
  const Encounter encounter{.state = state,
                            .first = waits,
                            .endless = endless,
                            .met = met(state),
                            .waiting = state[waits].at,
                            .other = endless ? Position{} : state[other(waits)].at};
  if (!is_feasible(encounter)) return;
  const Frame& frame = frames_[divergence.at.frame];
  Mismatch m;
  m.function = frame.summary->function;
  m.guard = divergence.range;
  m.guard_axes = describe(values.variance(divergence.condition), in_.index().names());
  m.group = describe(frames_.group(), in_.index().names());
  if (divergence.local) {
    m.cause = divergence.loop ? Mismatch::Cause::LocalLoop : Mismatch::Cause::LocalBranch;
    const SeenAlone alone = seen_alone(values, in_.index(), divergence.condition);
    m.local_source = alone.source;
    m.local_reason = alone.word;
    m.flag = flag_asked(in_, divergence.condition);
  } else {
    m.cause = divergence.loop ? Mismatch::Cause::RankLoop : Mismatch::Cause::RankBranch;
  }
  // The call of the root that leads to where they diverge, where it is the call that hands over what differs.
  if (frame.caller.valid() && !values.diverges(divergence.written)) {
    hand_over(m, divergence.at.frame, [&](ValueId given) {
      return given.valid() && (values.diverges(given) || (divergence.local && values[given].of_batch));
    });
    // What a caller happens to pass; but a batch is what a training step is there for.
    if (divergence.local && m.local_source != LocalSource::Batch)
      m.certainty.doubt({Reason::CallersOwn, {m.handed_over_by, m.handed_over_at}});
  }
  const bool callee_handed_over = hand_over_callee(m, divergence.at.frame, encounter.waiting.frame);
  std::tie(m.first, m.second) = arrivals(state, waits, !encounter.other.at_end());
  SourceRange own = m.first.steps.back().range;
  for (const PathStep& step : m.first.steps)
    if (step.nesting <= 0 && step.kind != PathStep::Kind::Branch) own = step.range;
  m.certainty.lower_to(assurance_of(encounter, m, own));
  // The guard leaves early for all that it guards; a callee that was passed was passed once too often.
  if (!callee_handed_over) note_early_leave(m, encounter, own);
  m.inside_other_arm = !encounter.other.at_end() && is_inside_other_arm(encounter);
  if (!after_failure_) assume_choices(state.shared, m.certainty);
  ++found_at_[divergence.at];
  LockstepResult::Found found;
  found.mismatch = std::move(m);
  found.trace = trace_of(state, waits);
  found.waits = waits;
  found.at_end = encounter.other.at_end() && !state[other(waits)].has_left();
  found.guard = place_of(divergence.at);
  result_.found.push_back(std::move(found));
}

}  // namespace ranklint
