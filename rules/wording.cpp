#include "rules/wording.h"

#include <algorithm>
#include <tuple>

#include "analyzer/program/test_files.h"

namespace ranklint {
namespace {

// Each reason is listed once, where it was met first.
void add_doubt(const Shared& shared, const Doubt& doubt, Finding& finding) {
  if (std::ranges::find(finding.doubts, doubt.reason, &FindingDoubt::reason) != finding.doubts.end()) return;
  finding.doubts.push_back({doubt.reason, {}});
  if (doubt.place.function.valid())
    finding.doubts.back().place = location_at(shared, doubt.place.function, doubt.place.range);
}

// Each assumption is listed once; the branches of a witness are listed with its paths.
void add_assumption(const Shared& shared, const Assumption& assumption, Finding& finding) {
  const auto is_listed = [&](const FindingAssumption& listed) {
    return listed.assumption.kind == assumption.kind && listed.assumption.subject == assumption.subject;
  };
  if (assumption.kind == AssumptionKind::BranchTaken || std::ranges::any_of(finding.evidence, is_listed)) return;
  finding.evidence.push_back({assumption, {}});
  if (const CodePlace& place = assumption.place; place.function.valid())
    finding.evidence.back().place = location_at(shared, place.function, place.range);
}

void add_premise(const RuleInfo& rule, Finding& finding) {
  if (rule.premise.empty()) return;
  finding.evidence.push_back(
      {{.kind = AssumptionKind::RulePremise, .subject = std::string(rule.premise)}, finding.primary});
}

// What could not be read of the function itself, functions in it aside. Not where declarations are missing: Clang
// reports errors there in code that is right.
const SourceRange* syntax_error_in(const ProjectIndex& index, FunctionKey f) {
  const ir::Module& module = index.modules()[index.functions()[f].module];
  const SourceRange& own = index.function(f).range;
  const auto is_of_inner = [&](const SourceRange& range) {
    return std::ranges::any_of(module.functions, [&](const ir::Function& other) {
      return other.range != own && own.contains(other.range) && other.range.contains(range);
    });
  };
  for (const ir::Diagnostic& error : module.diagnostics)
    if (!module.incomplete && own.contains(error.range) && !is_of_inner(error.range)) return &error.range;
  return nullptr;
}

// A rank that is alone agrees with itself, and where there is no job no rank waits. What is only likely rests on what a
// program says of its job, and a test does not say it.
Assurance in_its_program(const RuleInfo& rule, const Shared& shared, FunctionKey function, const SourceRange& range,
                         Assurance certainty) {
  const Launch* launch = shared.launches ? shared.launches->of_one_process(function) : nullptr;
  if (launch) certainty.doubt({Reason::StartedAlone, {launch->within, launch->range}});
  const bool is_about_waiting = rule.no_wait.empty();
  if (const auto* asked = is_about_waiting && shared.jobless ? shared.jobless->asked_around(function) : nullptr)
    certainty.doubt({Reason::NoJob, {asked->within, asked->range}});
  if (shared.live_code && !shared.live_code->reaches(function))
    certainty.doubt({Reason::NothingRuns, {function, shared.index->function(function).range}});
  if (const SourceRange* error = syntax_error_in(*shared.index, function))
    certainty.doubt({Reason::SyntaxError, {function, *error}});
  if (const auto read = shared.undefined_names ? shared.undefined_names->read_before(function, range) : std::nullopt)
    certainty.doubt({Reason::UndefinedName, {function, *read}});
  if (certainty.degree() < Confidence::High && is_test_file(shared.index->path(function)))
    certainty.doubt({Reason::InTest, {function, shared.index->function(function).range}});
  return certainty;
}

}  // namespace

Location location_at(const Shared& shared, FunctionKey f, const SourceRange& range) {
  const ModuleKey before = shared.checked_before;
  return {.path = std::string(shared.index->path(f)),
          .range = range,
          .as_checked = before.valid() && shared.index->functions()[f].module == before};
}

std::string verb(const RankName& ranks, const std::string& plural) {
  return ranks.is_plural ? plural : plural + (plural.ends_with("go") || plural.ends_with("ch") ? "es" : "s");
}

std::string collective_text(const std::string& op, const std::string& group) {
  return "`" + op + "` on `" + group + "`";
}

std::string decision_text(const Shared& shared, FunctionKey function, const SourceRange& range, bool holds) {
  const ir::Quote* quote = shared.index->quote(function, range);
  return (quote ? "`" + quote->text + "`" : "the condition") + (holds ? " is true" : " is false");
}

bool is_reported(const Shared& shared, FunctionKey function) {
  return shared.reported[shared.index->functions()[function].module.index];
}

bool is_without_job(const Shared& shared, FunctionKey function) {
  return shared.jobless && shared.jobless->asked_around(function);
}

Assurance certainty_of_several_ranks(const Shared& shared, FunctionKey f, Confidence found) {
  Assurance certainty = found;
  if (!shared.script_starts) return certainty;
  if (const ScriptStarts::Start* start = shared.script_starts->alone(f))
    certainty.doubt({Reason::StartedAlone, {start->within, start->range}});
  else if (!shared.script_starts->as_several(f))
    certainty.assume({.kind = shared.script_starts->any_several() ? AssumptionKind::StartedLikeOthers
                                                                  : AssumptionKind::SeveralProcesses,
                      .subject = location_at(shared, f, {}).path});
  return certainty;
}

bool is_run_through(const Shared& shared, FunctionKey function) { return shared.run_through.contains(function); }

Finding finding_at(const RuleInfo& rule, const Shared& shared, FunctionKey function, SourceRange range,
                   const Assurance& found_with) {
  const Assurance certainty = in_its_program(rule, shared, function, range, found_with);
  Finding finding;
  finding.rule = rule.id;
  finding.code = rule.code;
  finding.confidence = certainty.degree();
  for (const Doubt& doubt : certainty.doubts()) add_doubt(shared, doubt, finding);
  for (const Assumption& assumption : certainty.assumptions()) add_assumption(shared, assumption, finding);
  if (certainty.degree() < Confidence::Certain && finding.doubts.empty() && certainty.assumptions().empty())
    add_premise(rule, finding);
  finding.severity =
      certainty.degree() >= Confidence::Likely ? rule.severity : std::min(rule.severity, Severity::Warning);
  finding.primary = location_at(shared, function, range);
  finding.function = shared.index->qualified_name(function);
  return finding;
}

}  // namespace ranklint
