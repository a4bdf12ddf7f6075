// Every rule of the registry: it is shown by a run, or says itself why no rank waits because of what it finds.
#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "analyzer/project/project.h"
#include "app/engine/frontends.h"
#include "app/verify/verify.h"
#include "rules/rule.h"
#include "tests/rules/cases.h"

namespace ranklint::test {

namespace {

std::vector<Finding> findings_in(const Case& c) {
  static const Models kModels = Models::builtin();
  std::vector<SourceFile> files;
  for (const CaseFile& file : c.files) files.push_back({.path = file.path, .bytes = file.text});
  AnalysisOptions options{.threads = 1,
                          .watched = watched_calls(all_rules()),
                          .passes = passes_of(all_rules()),
                          .progress = {},
                          .replays = true};
  return findings_of(analyze(std::move(files), kModels, app::lower_source, options));
}

struct Shown {
  size_t confirmed = 0;
  std::set<std::string> other;  // what a run said else
  bool correct_twin = false;    // a function, or a file, called correct, about which it is silent
};

bool is_correct_by_name(std::string_view text) {
  return text.find("_ok(") != text.npos || text.find("good") != text.npos || text.find("right") != text.npos ||
         text.find("correct") != text.npos;
}

std::map<std::string, Shown, std::less<>> shown_by_fixtures() {
  std::map<std::string, Shown, std::less<>> shown;
  for (const Case& c : fixture_cases()) {
    for (const CaseFile& file : c.files)
      shown[c.rule].correct_twin |= is_correct_by_name(file.text) || is_correct_by_name(file.path);
    for (const Finding& finding : findings_in(c)) {
      const Verdict verdict = app::verify(finding);
      if (verdict.kind == Verdict::Kind::Confirmed)
        ++shown[finding.rule].confirmed;
      else
        shown[finding.rule].other.insert(verdict.reason);
    }
  }
  return shown;
}

}  // namespace

TEST_CASE(
    "every rule is confirmed by a run of its fixtures beside a correct twin, or no rank waits for what it finds") {
  auto shown = shown_by_fixtures();
  for (const Rule& rule : all_rules()) {
    Shown& by = shown[std::string(rule.info->id)];
    INFO(rule.info->id << (by.other.empty() ? "" : ": " + *by.other.begin()));
    if (!rule.info->no_wait.empty()) {
      CHECK(by.confirmed == 0);
      continue;
    }
    CHECK(by.confirmed > 0);
    CHECK(by.correct_twin);
  }
}

}  // namespace ranklint::test
