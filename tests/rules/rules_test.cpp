// Runs the whole engine, frontend to rules, on every fixture and on every page. Each is a case of its own, by its path.
//
//   test_rules testdata/rules/divergent-root/source.py    one case
//   RANKLINT_FIXTURE=divergent-root test_rules            those with that in their name, and no others
//   RANKLINT_UPDATE=1 test_rules                          rewrite the expectations to what is found
#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>
#include <map>

#include "analyzer/project/project.h"
#include "app/engine/frontends.h"
#include "app/suppress/suppress.h"
#include "rules/rule.h"
#include "tests/rules/cases.h"
#include "tests/rules/comparison.h"
#include "tests/support/file_cases.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

// What could not be parsed, as the command line reports it.
void add_partial_parses(const Analysis& analysis, std::vector<Finding>& findings) {
  for (const FileNotes& file : analysis.files)
    for (const ir::Diagnostic& diagnostic : file.diagnostics) {
      Finding finding;
      finding.rule = "partial-parse";
      finding.confidence = Confidence::Certain;
      finding.primary = {file.path, diagnostic.range};
      finding.message = diagnostic.message;
      findings.push_back(std::move(finding));
    }
}

std::string_view source_of(const Case& c, const std::string& path) {
  for (const CaseFile& file : c.files)
    if (file.path == path) return file.text;
  return {};
}

// What is not certain has a reason against it, rests on something, or takes branches that nothing decides.
bool says_why(const Finding& f) { return !f.doubts.empty() || !f.evidence.empty() || !f.witness.assumptions.empty(); }

// From bytes to what a user sees: comments that suppress count, as do those that suppress nothing.
std::vector<Finding> findings_in(const Case& c) {
  static const Models models = Models::builtin();
  std::vector<SourceFile> files;
  for (const CaseFile& file : c.files) files.push_back({.path = file.path, .bytes = file.text});
  const Analysis analysis =
      analyze(std::move(files), models, app::lower_source,
              {.threads = 1, .watched = watched_calls(all_rules()), .passes = passes_of(all_rules()), .progress = {}});
  std::vector<Finding> findings = findings_of(analysis);
  add_partial_parses(analysis, findings);
  return app::suppress(std::move(findings), analysis.files,
                       {.rules = all_rules(),
                        .selected = [](const RuleInfo& rule, const std::string&) { return rule.default_on; },
                        .source = [&](const std::string& path) { return source_of(c, path); }})
      .findings;
}

void check(const Case& c) {
  REQUIRE_FALSE(c.files.empty());
  const std::vector<Finding> findings = findings_in(c);
  for (const Finding& f : findings) {
    INFO(f.code << ":" << f.primary.path << ":" << f.primary.range.line);
    CHECK((f.confidence == Confidence::Possible) == !f.doubts.empty());
    CHECK((f.confidence == Confidence::Certain || says_why(f)));
  }
  const Comparison comparison = compare(c, findings);
  if (update_expectations() && comparison.malformed.empty() && !comparison.agrees()) return update(c, comparison);
  if (comparison.agrees()) return;
  std::cout << describe(c, comparison) << std::endl;
  FAIL_CHECK(c.name);  // the difference is above: Catch2 would break its lines
}

// What a page calls bad is reported, and what it calls good is not.
void check_page(const std::string& path) {
  for (const PageSection section : {PageSection::Bad, PageSection::Good})
    for (const Case& c : cases_of_page(source_path(path), section)) check(c);
}

// Of a program that the project starts as several processes nothing is assumed about its start.
void check_starts() {
  std::map<std::string, bool> assumed;
  for (const CasePlace& place : fixture_places())
    if (place.name.ends_with("shared-file-written-by-all/commands"))
      for (const Finding& f : findings_in(read_case(place)))
        assumed[f.primary.path] |= std::ranges::any_of(f.evidence, [](const FindingAssumption& e) {
          return e.assumption.kind == AssumptionKind::StartedLikeOthers;
        });
  CHECK_FALSE(assumed.at("train.py"));
  CHECK_FALSE(assumed.at("folders.py"));
  CHECK_FALSE(assumed.at("export.py"));
  CHECK_FALSE(assumed.at("commented.py"));
  CHECK_FALSE(assumed.at("tools/spawn.py"));
  CHECK(assumed.at("other.py"));
}

// Selecting nothing is a mistake in the name, and no success.
const bool kAdded = [] {
  size_t added = 0;
  const auto add = [&](const std::string& name, std::function<void()> body) {
    if (!is_selected(name)) return;
    add_case(name, std::move(body));
    ++added;
  };
  for (const std::vector<CasePlace>& places : {fixture_places(), lookalike_places()})
    for (const CasePlace& place : places) add(place.name, [place] { check(read_case(place)); });
  for (const std::string& page : paths_below("rules", ".md")) add(page, [page] { check_page(page); });
  add("what no command starts as several processes rests on that", check_starts);
  if (added == 0)
    add_case("RANKLINT_FIXTURE selects a case", [] { FAIL("no fixture and no page has that in its name"); });
  return true;
}();

}  // namespace

}  // namespace ranklint::test
