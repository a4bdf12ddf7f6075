// Small MPI programs with one error each, and their correct twins: what is reported of a whole program. A file of them
// is a category, and a case.
//
//   RANKLINT_FIXTURE=requests/persistent mpi_programs_test testdata/mpi_programs/requests.txt     only those of that
//   name
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "analyzer/mpi_check/problem.h"
#include "analyzer/project/project.h"
#include "analyzer/project/shared.h"
#include "app/engine/frontends.h"
#include "rules/rule.h"
#include "tests/mpi_programs/programs.h"
#include "tests/support/file_cases.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

constexpr const char* kNames[] = {
#define FACT(name, ...) #name,
#define NOTE(name, ...) #name,
#define PHRASE(name, ...) #name,
#include "analyzer/mpi_check/facts.inc"
};

std::string name_of(mpi_check::Fact fact) { return kNames[static_cast<size_t>(fact)]; }

struct Report {
  std::vector<Finding> findings;
  std::set<std::string> facts;  // that the run has stated
};

Report report_on(const MpiProgram& program) {
  static const Models models = Models::builtin();
  const Analysis analysis = analyze({{.path = "program.c", .bytes = program.text}}, models, app::lower_source,
                                    {.threads = 1, .passes = passes_of(all_rules()), .progress = {}});
  Report report{.findings = findings_of(analysis), .facts = {}};
  std::erase_if(report.findings, [](const Finding& f) { return !find_rule(f.rule)->info->default_on; });
  for (const auto& run : analysis.shared->runs)
    for (const mpi_check::Problem& problem : run->problems) report.facts.insert(name_of(problem.statement.fact));
  return report;
}

bool is_right(const MpiProgram& program, const Report& report) {
  if (program.rule.empty()) return report.findings.empty();
  return (program.fact.empty() || report.facts.contains(program.fact)) &&
         std::ranges::any_of(report.findings, [&](const Finding& f) { return f.rule == program.rule; });
}

std::string describe(const Report& report) {
  std::string text;
  for (const Finding& f : report.findings) text += "\n    " + f.rule + ": " + f.message;
  for (const std::string& fact : report.facts) text += "\n    " + fact;
  return text.empty() ? "\n    nothing" : text;
}

struct Score {
  int found = 0, missed = 0, false_alarms = 0, silent = 0;
};

void show(const std::string& path, const Score& s) {
  const double f1 = 2.0 * s.found / std::max(1, 2 * s.found + s.missed + s.false_alarms);
  std::cout << path << ": " << s.found << " found, " << s.missed << " missed, " << s.false_alarms << " false alarms, "
            << s.silent << " rightly silent, F1 " << f1 << "\n";
}

// A program with an error is reported by the right rule, and a correct one by none.
void check(const std::string& path) {
  const char* filter = std::getenv("RANKLINT_FIXTURE");
  Score score;
  size_t run = 0;
  for (const MpiProgram& program : mpi_programs(path)) {
    if (filter && program.name.find(filter) == std::string::npos) continue;
    ++run;
    const Report report = report_on(program);
    if (program.rule.empty())
      ++(report.findings.empty() ? score.silent : score.false_alarms);
    else
      ++(report.findings.empty() ? score.missed : score.found);
    if (is_right(program, report)) continue;
    std::cout << program.name << ": expected " << (program.rule.empty() ? "nothing" : program.rule + " " + program.fact)
              << ", reported" << describe(report) << "\n"
              << program.text;
    FAIL_CHECK(program.name);
  }
  CHECK((run > 0 || filter));
  show(path, score);
}

TEST_CASE("each fact that is a problem has a program that is named for it") {
  std::set<std::string> shown;
  for (const std::filesystem::path& path : files_below(source_path("testdata/mpi_programs"), ".txt"))
    for (const MpiProgram& program : mpi_programs("testdata/mpi_programs/" + path.filename().string()))
      shown.insert(program.fact);
  for (const mpi_check::FactInfo& info : mpi_check::kFacts)
    if (info.is_problem && !shown.contains(name_of(info.fact))) FAIL_CHECK(name_of(info.fact));
}

const bool kAdded = add_cases_below("testdata/mpi_programs", ".txt", check);

}  // namespace

}  // namespace ranklint::test
