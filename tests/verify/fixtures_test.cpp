// Every fixture on the runtime, each a case: what is reported as a hang hangs, and what is called correct finishes.
// That each rule about hangs is confirmed by some fixture is the matter of hang_rules_test.cpp.
//
//   RANKLINT_FIXTURE=divergent-root verify_test      of the fixtures only those with that in their name
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <set>

#include "analyzer/base/among.h"
#include "analyzer/execution/per_rank_executor.h"
#include "analyzer/interp/effects.h"
#include "analyzer/project/project.h"
#include "analyzer/project/shared.h"
#include "analyzer/questions/silent_steps.h"
#include "app/engine/frontends.h"
#include "app/verify/play.h"
#include "app/verify/verify.h"
#include "rules/rule.h"
#include "tests/rules/cases.h"
#include "tests/support/file_cases.h"

namespace ranklint::test {

namespace {

const Models& models() {
  static const Models kModels = Models::builtin();
  return kModels;
}

Analysis analysis_of(const Case& c) {
  std::vector<SourceFile> files;
  for (const CaseFile& file : c.files) files.push_back({.path = file.path, .bytes = file.text});
  return analyze(std::move(files), models(), app::lower_source,
                 {.threads = 1,
                  .watched = watched_calls(all_rules()),
                  .passes = passes_of(all_rules()),
                  .progress = {},
                  .replays = true});
}

// What has steps; a wrong result, an old name or a comment that does nothing has none.
bool claims_a_hang(const Finding& finding) { return finding.replay || !finding.witness.lanes.empty(); }

// The axes that its groups and conditions name.
AxisSet axes_of(const Query& query, const Summary& summary) {
  AxisSet axes;
  const auto add = [&](const AxisSet& set) {
    for (const Axis& axis : set.axes)
      if (axis.kind != AxisKind::UnknownGroup) axes.add(axis);
  };
  for (ValueId group : summary.groups) add(*query.resolve_group(group, Unknown::FreshAxis));
  for (const BlockSteps& block : summary.blocks)
    if (block.condition.valid()) add(query.values().variance(block.condition));
  return axes;
}

// Groups made by colour, and those that a loop makes one from the other, are no axes: a world of axes has none of them.
bool has_split_group(const Query& query, const Summary& summary) {
  const ValueStore& values = query.values();
  return std::any_of(summary.groups.begin(), summary.groups.end(), [&](ValueId group) {
    return group.valid() &&
           values
               .find_part(group,
                          [&](ValueId part) {
                            return values[part].kind == ValueKind::LoopPhi ||
                                   (values[part].kind == ValueKind::Pure &&
                                    among(query.index().names().text(Symbol{values[part].a}), {"<color>", "range"}));
                          })
               .valid();
  });
}

// Sends all ranks of a small world through the function.
Replay rehearse(const Query& query, const Summary& summary) {
  DecisionTrace trace;
  trace.root = summary.function;
  trace.second.rank = 1;
  const World world(axes_of(query, summary));
  return execute_ranks(query, world, trace);
}

// Suppressed, or held possible and not shown.
std::set<std::string> functions_with_findings(const Analysis& analysis) {
  std::set<std::string> names;
  for (const Finding& finding : findings_of(analysis)) names.insert(finding.function);
  return names;
}

// Functions whose condition on the rank is not computed, so no run can show which ranks wait.
constexpr std::array<std::string_view, 4> kNotComputed{"some_agree_bad", "smallest_by_bad", "leaders_bad",
                                                       "until_as_many_as_mine_bad"};

// What is expected to hang is confirmed by a run.
void confirm_findings(const Analysis& analysis) {
  for (const Finding& finding : findings_of(analysis)) {
    if (!claims_a_hang(finding)) continue;
    const Verdict verdict = app::verify(finding);
    // What is held possible, and not shown, need not lead to a run.
    if (finding.confidence == Confidence::Possible && verdict.kind == Verdict::Kind::NotReplayable) continue;
    INFO(finding.primary.path << ":" << finding.primary.range.line << " " << finding.message << ": " << verdict.reason);
    const bool is_computed = !among(finding.function, kNotComputed);
    CHECK(verdict.kind == (is_computed ? Verdict::Kind::Confirmed : Verdict::Kind::NotReplayable));
  }
}

// What is called correct runs to its end on every rank.
void finish_correct_code(const Analysis& analysis) {
  const std::set<std::string> doubted = functions_with_findings(analysis);
  Interpreter interpreter(*analysis.shared->index, models(), 8);
  complete_effects(interpreter);
  leave_out(interpreter, silent_steps(interpreter.query()));
  const Query& query = interpreter.query();
  for (uint32_t f = 0; f < analysis.shared->index->functions().size(); ++f) {
    const std::string name(analysis.shared->index->qualified_name(FunctionKey{f}));
    if (!name.ends_with("_ok") || doubted.count(name)) continue;
    const Summary* summary = query.summary(FunctionKey{f});
    if (!summary || !summary->communicates || has_split_group(query, *summary)) continue;
    const Replay replay = rehearse(query, *summary);
    if (std::count(replay.fails.begin(), replay.fails.end(), true)) continue;  // a rank that fails ends the others
    const app::Play play = app::play(replay, std::vector<size_t>(replay.world_size, 0));
    INFO(name << ": " << play.report.verdict.message);
    CHECK(play.report.ok());
  }
}

void check(const CasePlace& place) {
  const Analysis analysis = analysis_of(read_case(place));
  REQUIRE(analysis.shared);
  confirm_findings(analysis);
  finish_correct_code(analysis);
}

const bool kAdded = [] {
  for (const CasePlace& place : fixture_places())
    if (is_selected(place.name)) add_case(place.name, [place] { check(place); });
  return true;
}();

}  // namespace

}  // namespace ranklint::test
