#include "rules/wording.h"

#include <algorithm>
#include <array>

namespace ranklint {
namespace {

Confidence confidence_of(Certainty c) { return static_cast<Confidence>(static_cast<int>(c)); }

// The last name of a qualified one: "ComposedPipelineBase.post_init" -> "post_init".
std::string short_name(const std::string& qualified) {
  const size_t dot = qualified.rfind('.');
  std::string last = dot == std::string::npos ? qualified : qualified.substr(dot + 1);
  if (last == "__init__" && dot != std::string::npos) {
    const std::string owner = qualified.substr(0, dot);
    const size_t before = owner.rfind('.');
    return before == std::string::npos ? owner : owner.substr(before + 1);
  }
  return last;
}

WitnessStep step_of(const Facts& facts, const PathStep& step) {
  WitnessStep out;
  out.location = {path_of(facts, step.function), step.range};
  out.function = facts.index->qualified_name(step.function);
  out.nesting = step.nesting;
  switch (step.kind) {
    case PathStep::Kind::Branch:
      out.kind = WitnessStep::Kind::Branch;
      out.text = step.what == "true" ? "the condition holds" : "the condition does not hold";
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
      out.text = step.what == "raise" ? "raises" : "leaves";
      break;
  }
  return out;
}

WitnessLane lane_of(const Facts& facts, const Arrival& arrival, const std::string& end) {
  WitnessLane lane;
  lane.ranks = arrival.ranks;
  for (const PathStep& step : arrival.steps) lane.steps.push_back(step_of(facts, step));
  // Nothing at the place says that it communicates.
  if (arrival.about == "forward" && lane.steps.back().kind == WitnessStep::Kind::Collective) lane.steps.back().text += " in the forward pass";
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

}  // namespace

std::string path_of(const Facts& facts, FunctionKey f) {
  const std::string path(facts.index->path(f));
  return facts.checked_before.valid() && facts.index->functions()[f].module == facts.checked_before ? std::string(kAsChecked) + path : path;
}

std::string verb(const std::string& ranks, const std::string& plural) {
  return ranks.starts_with("the other") ? plural : plural + (plural.ends_with("go") ? "es" : "s");
}

std::string collective_text(const std::string& op, const std::string& group) { return "`" + op + "` on `" + group + "`"; }

bool is_reported(const Facts& facts, FunctionKey function) {
  return facts.reported[facts.index->functions()[function].module.index];
}

static MismatchKind plain_kind_of(const Mismatch& m) {
  if (m.cause == Mismatch::Cause::RootDiffers) return MismatchKind::Root;
  if (m.cause == Mismatch::Cause::ReduceOpDiffers) return MismatchKind::ReduceOp;
  if (m.cause == Mismatch::Cause::SizeDiffers) return MismatchKind::Size;
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

bool is_test_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  return name.starts_with("test_") || name.ends_with("_test.py") || path.starts_with("tests/") || path.starts_with("test/") ||
         path.find("/tests/") != path.npos || path.find("/test/") != path.npos;
}

// A function on the way to the collective that is there to set up a communicator before it is needed.
static bool goes_through_warmup(const Mismatch& m) {
  return std::any_of(m.first.steps.begin(), m.first.steps.end(), [](const PathStep& step) {
    if (step.kind != PathStep::Kind::Call) return false;
    const std::string name = short_name(step.what);
    return name.find("warmup") != name.npos || name.find("warm_up") != name.npos;
  });
}

MismatchKind kind_of(const Mismatch& m) {
  static constexpr std::array<std::pair<std::string_view, MismatchKind>, 6> kByAbout{{
      {"wrapper", MismatchKind::Wrapper},
      {"gathered-parameters", MismatchKind::GatheredParameters},
      {"state-dict", MismatchKind::StateDict},
      {"checkpoint", MismatchKind::Checkpoint},
      {"tensor-read", MismatchKind::TensorRead},
      {"redistribute", MismatchKind::Redistribute},
  }};
  const MismatchKind plain = plain_kind_of(m);
  if (plain == MismatchKind::RankLoop && m.first.about == "forward") return MismatchKind::UnevenInputs;
  const bool guarded = plain == MismatchKind::RankGuarded || (plain == MismatchKind::GroupCreation && m.first.about == "wrapper");
  if (!guarded) return plain;
  for (const auto& [about, kind] : kByAbout)
    if (m.first.about == about) return kind;
  return plain == MismatchKind::RankGuarded && goes_through_warmup(m) ? MismatchKind::Warmup : plain;
}

Finding finding_at(const RuleInfo& rule, const Facts& facts, FunctionKey function, SourceRange range, Certainty certainty) {
  Finding finding;
  finding.rule = rule.id;
  finding.code = rule.code;
  finding.confidence = confidence_of(certainty);
  finding.severity = certainty >= Certainty::Likely ? rule.severity : std::min(rule.severity, Severity::Warning);
  finding.primary = {path_of(facts, function), range};
  finding.function = facts.index->qualified_name(function);
  return finding;
}

Finding finding_of(const RuleInfo& rule, const Facts& facts, const Mismatch& m) {
  const MismatchKind kind = kind_of(m);
  SourceRange primary = m.guard;
  FunctionKey function = m.function;
  if (kind == MismatchKind::EarlyExit || (kind == MismatchKind::LocalData && m.left_early)) primary = m.exit;
  else if (!m.first.steps.empty() && kind != MismatchKind::RankLoop && kind != MismatchKind::UnevenInputs) {
    const PathStep& step = step_at_guard(m.first);
    primary = step.range;
    function = step.function;
  }
  if (m.handed_over_by.valid()) {
    primary = m.handed_over_at;
    function = m.handed_over_by;
  }
  Finding finding = finding_at(rule, facts, function, primary, m.certainty);
  finding.fingerprint_key = m.first.op + " " + m.group + " " + m.second.op;
  finding.replay = m.replay;
  if (m.first.steps.empty()) {
    for (const PathStep& other : m.second.steps)
      finding.related.push_back({{path_of(facts, other.function), other.range}, "the other rank is here"});
    return finding;
  }
  const std::string guard_path = path_of(facts, m.function);
  if (primary != m.guard) finding.related.push_back({{guard_path, m.guard}, "ranks part here"});
  for (size_t i = 0; i < m.first.steps.size(); ++i) {
    const PathStep& step = m.first.steps[i];
    const bool last = i + 1 == m.first.steps.size();
    if (step.kind == PathStep::Kind::Branch) continue;
    const Location at{path_of(facts, step.function), step.range};
    if (at.path == finding.primary.path && at.range == primary && !last) continue;
    if (step.kind == PathStep::Kind::Call && !step.what.empty())
      finding.related.push_back({at, "calls `" + short_name(step.what) + "`"});
    if (step.kind == PathStep::Kind::Collective && !(at.path == finding.primary.path && at.range == primary))
      finding.related.push_back({at, collective_text(step.what, step.group) + (last ? ": " + m.first.ranks + verb(m.first.ranks, " wait") + " here" : "")});
  }
  if (!m.second.steps.empty()) {
    const PathStep& end = m.second.steps.back();
    if (end.kind != PathStep::Kind::Branch && !(end.range == primary))
      finding.related.push_back({{path_of(facts, end.function), end.range},
                                 end.kind == PathStep::Kind::Collective
                                     ? m.second.ranks + verb(m.second.ranks, " wait") + " here, in " + collective_text(end.what, end.group)
                                     : m.second.ranks + verb(m.second.ranks, " leave") + " here"});
  }
  finding.witness.lanes.push_back(lane_of(facts, m.first, verb(m.first.ranks, "wait") + " for " + m.second.ranks));
  finding.witness.lanes.push_back(lane_of(
      facts, m.second, m.second.at_collective ? verb(m.second.ranks, "wait") + " for " + m.first.ranks
                                               : verb(m.second.ranks, "never call") + " `" + m.first.op + "`"));
  finding.witness.assumptions = m.assumptions;
  return finding;
}

}  // namespace ranklint
