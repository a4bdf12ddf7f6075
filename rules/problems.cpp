#include "rules/problems.h"

#include <algorithm>

#include "analyzer/compare/facts.h"

namespace ranklint {

namespace {

WitnessLane lane_of(const worlds::Lane& lane) {
  WitnessLane out{.ranks = "rank " + std::to_string(lane.rank), .steps = {}, .end = lane.end};
  for (const worlds::Note& step : lane.steps)
    out.steps.push_back({.kind = WitnessStep::Kind::Call, .location = {step.mark.file, step.mark.range}, .text = step.text, .function = {}, .op = {}, .group = {}});
  return out;
}

Finding finding_of(const RuleInfo& rule, const worlds::Problem& problem) {
  Finding finding;
  finding.rule = rule.id;
  finding.code = rule.code;
  finding.severity = rule.severity;
  finding.confidence = Confidence::High;
  finding.primary = {problem.mark.file, problem.mark.range};
  finding.message = problem.message;
  finding.help = problem.help;
  finding.function = problem.function;
  finding.fingerprint_key = problem.message.substr(0, problem.message.find(' '));
  for (const worlds::Note& note : problem.notes) finding.related.push_back({{note.mark.file, note.mark.range}, note.text});
  for (const worlds::Lane& lane : problem.lanes) finding.witness.lanes.push_back(lane_of(lane));
  if (!problem.lanes.empty()) finding.witness.assumptions.push_back("the job has " + std::to_string(problem.world_size) + " ranks");
  return finding;
}

bool is_reported(const Facts& facts, const std::string& path) {
  uint32_t at = 0;
  for (const ir::Module& module : facts.index->modules()) {
    if (module.path == path) return facts.reported[at];
    ++at;
  }
  return false;
}

}  // namespace

void report_problems(const RuleInfo& rule, const Facts& facts, worlds::ProblemKind kind, Reporter& report) {
  for (const auto& run : facts.runs)
    for (const worlds::Problem& problem : run->problems)
      if (problem.kind == kind && is_reported(facts, problem.mark.file)) report.push_back(finding_of(rule, problem));
}

}  // namespace ranklint
