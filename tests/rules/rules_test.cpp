// Runs the whole engine, frontend to rules, on every fixture and on every page.
//
//   RANKLINT_FIXTURE=divergent-root test_rules      only the cases with that in their name
//   RANKLINT_UPDATE=1 test_rules                    rewrite the expectations to what is found
#include <catch2/catch.hpp>

#include <iostream>

#include "analyzer/project/project.h"
#include "app/suppress/suppress.h"
#include "app/engine/frontends.h"
#include "rules/rule.h"
#include "tests/rules/cases.h"
#include "tests/rules/comparison.h"
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

// From bytes to what a user sees: comments that suppress count, as do those that suppress nothing.
std::vector<Finding> findings_in(const Case& c) {
  static const Models models = Models::builtin();
  std::vector<SourceFile> files;
  for (const CaseFile& file : c.files) files.push_back({.path = file.path, .bytes = file.text});
  const Analysis analysis = analyze(std::move(files), models, app::lower_source, {.threads = 1, .watched = watched_calls(all_rules()), .progress = {}});
  std::vector<Finding> findings = run_rules(*analysis.facts);
  add_partial_parses(analysis, findings);
  return app::suppress(std::move(findings), analysis.files,
                       {.rules = all_rules(),
                        .selected = [](const RuleInfo& rule, const std::string&) { return rule.default_on; },
                        .source = [&](const std::string& path) { return source_of(c, path); }})
      .findings;
}

void check(const std::vector<Case>& cases) {
  size_t run = 0;
  for (const Case& c : cases) {
    if (!selected(c)) continue;
    ++run;
    const Comparison comparison = compare(c, findings_in(c));
    if (update_expectations() && comparison.malformed.empty() && !comparison.agrees()) {
      update(c, comparison);
      continue;
    }
    if (comparison.agrees()) continue;
    std::cout << describe(c, comparison) << "  run it alone: RANKLINT_FIXTURE=" << c.name << " "
              << run_alone_command(Catch::getResultCapture().getCurrentTestName()) << std::endl;
    FAIL_CHECK(c.name);  // the difference is above: Catch2 would break its lines
  }
  if (run == 0) WARN("no case is selected");
}

}  // namespace

TEST_CASE("every fixture reports what it expects and nothing else") { check(fixture_cases()); }

TEST_CASE("correct code that looks wrong is not reported") { check(lookalike_cases()); }

TEST_CASE("what a page calls bad is reported") { check(page_cases(PageSection::Bad)); }

TEST_CASE("what a page calls good is not reported") { check(page_cases(PageSection::Good)); }

}  // namespace ranklint::test
