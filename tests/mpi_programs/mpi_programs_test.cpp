// Small MPI programs with one error each, and their correct twins: what is reported of a whole program. A file of them
// is a category, and a case.
//
//   RANKLINT_FIXTURE=requests/persistent mpi_programs_test testdata/mpi_programs/requests.txt     only those of that
//   name
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "analyzer/project/project.h"
#include "app/engine/frontends.h"
#include "rules/rule.h"
#include "tests/mpi_programs/programs.h"
#include "tests/support/file_cases.h"

namespace ranklint::test {

namespace {

std::vector<Finding> findings_in(const MpiProgram& program) {
  static const Models models = Models::builtin();
  const Analysis analysis = analyze({{.path = "program.c", .bytes = program.text}}, models, app::lower_source,
                                    {.threads = 1, .passes = passes_of(all_rules()), .progress = {}});
  std::vector<Finding> findings = findings_of(analysis);
  std::erase_if(findings, [](const Finding& f) { return !find_rule(f.rule)->info->default_on; });
  return findings;
}

bool is_right(const MpiProgram& program, const std::vector<Finding>& findings) {
  if (program.rule.empty()) return findings.empty();
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule == program.rule; });
}

std::string describe(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) text += "\n    " + f.rule + ": " + f.message;
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
    const std::vector<Finding> findings = findings_in(program);
    if (program.rule.empty())
      ++(findings.empty() ? score.silent : score.false_alarms);
    else
      ++(findings.empty() ? score.missed : score.found);
    if (is_right(program, findings)) continue;
    std::cout << program.name << ": expected " << (program.rule.empty() ? "nothing" : program.rule) << ", reported"
              << describe(findings) << "\n"
              << program.text;
    FAIL_CHECK(program.name);
  }
  CHECK((run > 0 || filter));
  show(path, score);
}

const bool kAdded = add_cases_below("testdata/mpi_programs", ".txt", check);

}  // namespace

}  // namespace ranklint::test
