#include "rules/mismatches.h"

#include <algorithm>
#include <array>

#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"
#include "rules/witness_rounds.h"
#include "rules/wording.h"

namespace ranklint {
namespace {

constexpr std::string_view kIfSharded = " if the model is sharded";

// "ComposedPipelineBase.post_init" -> "post_init", "Model.__init__" -> "Model", "Error.all(const std.string &, int)" ->
// "all", "walk#tree.c" -> "walk".
std::string short_name(std::string_view qualified) {
  qualified = without_file(qualified.substr(0, qualified.find('(')));
  const std::string_view last = last_part(qualified);
  if (!is_builtin(last, Builtin::Init) || last == qualified) return std::string(last);
  return std::string(last_part(qualified.substr(0, qualified.size() - last.size() - 1)));
}

// The source has no condition for a decorator's test.
std::string decision_of(const Shared& shared, const PathStep& step) {
  const ir::Quote* quote = shared.index->quote(step.function, step.range);
  const std::string loop = quote ? " (`" + quote->text + "`)" : "";
  if (step.outcome == PathStep::Outcome::NextRound) return "enters the next iteration" + loop;
  if (step.outcome == PathStep::Outcome::Done) return "leaves the loop" + loop;
  return decision_text(shared, step.function, step.range, step.outcome == PathStep::Outcome::True);
}

// "`save`"
std::string end_of(const Shared& shared, FunctionKey f) {
  return shared.index->function(f).kind == ir::FunctionKind::Module
             ? "the file"
             : "`" + short_name(shared.index->qualified_name(f)) + "`";
}

// "reaches the end of `save`"
std::string exit_of(const Shared& shared, const PathStep& step) {
  switch (step.outcome) {
    case PathStep::Outcome::Raise: return "raises";
    case PathStep::Outcome::Break: return "breaks out of the loop";
    case PathStep::Outcome::Continue: return "continues with the next iteration";
    case PathStep::Outcome::ExitProcess: return "ends the process";
    case PathStep::Outcome::End: return "reaches the end of " + end_of(shared, step.function);
    default: return "returns";
  }
}

WitnessStep step_of(const Shared& shared, const PathStep& step) {
  WitnessStep out;
  out.location = location_at(shared, step.function, step.range);
  out.function = shared.index->qualified_name(step.function);
  out.nesting = step.nesting;
  switch (step.kind) {
    case PathStep::Kind::Branch:
      out.kind = WitnessStep::Kind::Branch;
      out.text = decision_of(shared, step);
      break;
    case PathStep::Kind::Call:
      out.kind = WitnessStep::Kind::Call;
      out.text = step.what.empty() ? "makes the same call" : "calls `" + short_name(step.what) + "`";
      break;
    case PathStep::Kind::Collective:
      out.kind = WitnessStep::Kind::Collective;
      out.op = step.what;
      out.group = step.group;
      out.text = collective_text(step.what, step.group);
      break;
    case PathStep::Kind::Exit:
      out.kind = WitnessStep::Kind::Exit;
      out.text = exit_of(shared, step);
      break;
  }
  return out;
}

WitnessLane lane_of(const Shared& shared, const Arrival& arrival, const RankName& ranks, const std::string& end) {
  WitnessLane lane;
  lane.ranks = ranks.text;
  for (const PathStep& step : arrival.steps) lane.steps.push_back(step_of(shared, step));
  // Nothing at the place says that it communicates.
  if (arrival.about == ModelAbout::Forward && lane.steps.back().kind == WitnessStep::Kind::Collective)
    lane.steps.back().text += " in the forward pass";
  if (arrival.if_sharded) lane.steps.back().text += kIfSharded;
  fold_rounds(lane.steps);
  lane.end = end;
  return lane;
}

// Where the class that communicates leaves the function of the guard: the call or collective to point at.
const PathStep& step_at_guard(const Arrival& arrival) {
  // The last of its steps there: what came before was matched.
  const PathStep* found = &arrival.steps.back();
  for (const PathStep& step : arrival.steps)
    if (step.nesting <= 0 && (step.kind == PathStep::Kind::Call || step.kind == PathStep::Kind::Collective) &&
        !(step.kind == PathStep::Kind::Call && step.what.empty()))
      found = &step;
  return *found;
}

MismatchKind plain_kind_of(const Mismatch& m) {
  if (m.cause == Mismatch::Cause::RootDiffers) return MismatchKind::Root;
  if (m.cause == Mismatch::Cause::ReduceOpDiffers) return MismatchKind::ReduceOp;
  if (m.cause == Mismatch::Cause::MembersDiffer) return MismatchKind::Members;
  if (m.cause == Mismatch::Cause::SizeDiffers || m.cause == Mismatch::Cause::CountDiffers ||
      m.cause == Mismatch::Cause::TypeDiffers)
    return MismatchKind::Size;
  if (m.cause == Mismatch::Cause::GroupsCross) return MismatchKind::CrossGroup;
  if (m.first.creates_group) return MismatchKind::GroupCreation;
  if (m.cause == Mismatch::Cause::LocalBranch) return MismatchKind::LocalData;
  if (m.cause == Mismatch::Cause::RankLoop || m.cause == Mismatch::Cause::LocalLoop) return MismatchKind::RankLoop;
  if (m.left_early) return MismatchKind::EarlyExit;
  // The other side communicates too, but with something else, or less.
  const bool matched = std::any_of(m.second.steps.begin(), m.second.steps.end(), [&](const PathStep& step) {
    return (step.kind == PathStep::Kind::Collective && !(m.second.at_collective && &step == &m.second.steps.back())) ||
           (step.kind == PathStep::Kind::Call && step.what.empty());
  });
  if (matched || (m.second.at_collective && m.inside_other_arm)) return MismatchKind::DivergentOrder;
  return m.first.in_generator ? MismatchKind::Generator : MismatchKind::RankGuarded;
}

MismatchKind kind_of(const Mismatch& m) {
  static constexpr std::array<std::pair<ModelAbout, MismatchKind>, 6> kByAbout{{
      {ModelAbout::Wrapper, MismatchKind::Wrapper},
      {ModelAbout::GatheredParameters, MismatchKind::GatheredParameters},
      {ModelAbout::StateDict, MismatchKind::StateDict},
      {ModelAbout::Checkpoint, MismatchKind::Checkpoint},
      {ModelAbout::TensorRead, MismatchKind::TensorRead},
      {ModelAbout::Redistribute, MismatchKind::Redistribute},
  }};
  const MismatchKind plain = plain_kind_of(m);
  if (plain == MismatchKind::RankLoop && m.first.about == ModelAbout::Forward) return MismatchKind::UnevenInputs;
  const bool guarded = plain == MismatchKind::RankGuarded ||
                       (plain == MismatchKind::GroupCreation && m.first.about == ModelAbout::Wrapper);
  if (!guarded) return plain;
  for (const auto& [about, kind] : kByAbout)
    if (m.first.about == about) return kind;
  return plain == MismatchKind::RankGuarded && m.first.warms_up ? MismatchKind::Warmup : plain;
}

// Where a finding points at.
struct Primary {
  FunctionKey function;
  SourceRange range;
};

Primary primary_of(const Mismatch& m) {
  if (m.handed_over_by.valid()) return {m.handed_over_by, m.handed_over_at};
  const MismatchKind kind = kind_of(m);
  if (kind == MismatchKind::EarlyExit || (kind == MismatchKind::LocalData && m.left_early)) return {m.function, m.exit};
  if (m.first.steps.empty() || kind == MismatchKind::RankLoop || kind == MismatchKind::UnevenInputs)
    return {m.function, m.guard};
  const PathStep& step = step_at_guard(m.first);
  return {step.function, step.range};
}

// The path of the waiting ranks: each call of the chain, and the collective.
void add_chain(const Shared& shared, const Mismatch& m, Finding& finding) {
  for (const PathStep& step : m.first.steps) {
    const bool last = &step == &m.first.steps.back();
    const Location at = location_at(shared, step.function, step.range);
    const bool is_primary = at == finding.primary;
    if (is_primary && !last) continue;
    if (step.kind == PathStep::Kind::Call && !step.what.empty())
      finding.related.push_back({at, "calls `" + short_name(step.what) + "`"});
    if (step.kind == PathStep::Kind::Collective && !is_primary)
      finding.related.push_back(
          {at, collective_text(step.what, step.group) +
                   (last ? ": " + m.first.ranks.text + verb(m.first.ranks, " wait") + " here" : "")});
  }
}

// Where the others go.
void add_others(const Shared& shared, const Mismatch& m, Finding& finding) {
  if (m.second.steps.empty()) return;
  const PathStep& end = m.second.steps.back();
  if (end.kind == PathStep::Kind::Branch || end.range == finding.primary.range) return;
  if (m.left_early && end.outcome == PathStep::Outcome::End && finding.primary.range == m.exit) return;
  const auto they = [&](const std::string& what) { return m.second.beside.text + verb(m.second.beside, what); };
  const std::string message =
      end.kind == PathStep::Kind::Collective  ? they(" wait") + " here, in " + collective_text(end.what, end.group)
      : end.outcome == PathStep::Outcome::End ? they(" reach") + " the end of " + end_of(shared, end.function)
                                              : they(" leave") + " here";
  finding.related.push_back({location_at(shared, end.function, end.range), message});
}

}  // namespace

std::vector<std::reference_wrapper<const Mismatch>> mismatches_of(const Shared& shared, MismatchKind kind) {
  std::vector<std::reference_wrapper<const Mismatch>> found;
  for (const Mismatch& m : shared.mismatches)
    if (kind_of(m) == kind && is_reported(shared, m.function) && !is_run_through(shared, m.function))
      found.emplace_back(m);
  return found;
}

Finding finding_of(const RuleInfo& rule, const Shared& shared, const Mismatch& m) {
  const Primary primary = primary_of(m);
  Finding finding = finding_at(rule, shared, primary.function, primary.range, m.certainty);
  finding.fingerprint_key = m.first.op + " " + m.group + " " + m.second.op;
  finding.replay = m.replay;
  if (m.first.steps.empty()) {
    for (const PathStep& other : m.second.steps)
      finding.related.push_back({location_at(shared, other.function, other.range), "the other rank is here"});
    return finding;
  }
  if (primary.range != m.guard)
    finding.related.push_back({location_at(shared, m.function, m.guard), "ranks diverge here"});
  add_chain(shared, m, finding);
  add_others(shared, m, finding);
  finding.witness.lanes.push_back(
      lane_of(shared, m.first, m.first.ranks, verb(m.first.ranks, "wait") + " for " + m.second.beside.text));
  finding.witness.lanes.push_back(lane_of(shared, m.second, m.second.beside,
                                          m.second.at_collective
                                              ? verb(m.second.beside, "wait") + " for " + m.first.ranks.text
                                              : verb(m.second.beside, "never call") + " `" + m.first.op + "`"));
  for (const Assumption& assumption : m.certainty.assumptions())
    if (assumption.kind == AssumptionKind::BranchTaken) finding.witness.assumptions.push_back(sentence_of(assumption));
  return finding;
}

std::string_view if_sharded(const Mismatch& m) { return m.first.if_sharded ? kIfSharded : std::string_view(); }

std::string only_some_call(const Mismatch& m, std::string_view what_it_does) {
  return "`" + m.first.called + "` " + std::string(what_it_does) + ", and only " + m.first.ranks.text +
         verb(m.first.ranks, " get") + " there: " + collective_text(m.first.op, m.group) + " waits for " +
         m.second.beside.text;
}

}  // namespace ranklint
