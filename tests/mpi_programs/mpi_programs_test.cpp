// Small MPI programs with one error each, and their correct twins: what is reported of a whole program, by category.
//
//   RANKLINT_FIXTURE=requests/persistent mpi_programs_test      only those with that in their name
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>

#include "analyzer/project/project.h"
#include "app/engine/frontends.h"
#include "rules/rule.h"
#include "tests/mpi_programs/programs.h"

namespace ranklint::test {

namespace {

std::vector<Finding> findings_in(const MpiProgram& program) {
  static const Models models = Models::builtin();
  const Analysis analysis = analyze({{.path = "program.c", .bytes = program.text}}, models, app::lower_source, {.threads = 1, .progress = {}});
  std::vector<Finding> findings = run_rules(*analysis.facts);
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

void show(const std::map<std::string, Score>& scores) {
  for (const auto& [category, s] : scores) {
    const double f1 = 2.0 * s.found / std::max(1, 2 * s.found + s.missed + s.false_alarms);
    std::cout << category << ": " << s.found << " found, " << s.missed << " missed, " << s.false_alarms << " false alarms, " << s.silent << " rightly silent, F1 "
              << f1 << "\n";
  }
}

}  // namespace

TEST_CASE("a program with an error is told so by the right rule, and a correct one is not") {
  const char* filter = std::getenv("RANKLINT_FIXTURE");
  std::map<std::string, Score> scores;
  for (const MpiProgram& program : mpi_programs()) {
    if (filter && program.name.find(filter) == std::string::npos) continue;
    const std::vector<Finding> findings = findings_in(program);
    Score& score = scores[program.category];
    if (program.rule.empty()) ++(findings.empty() ? score.silent : score.false_alarms);
    else ++(findings.empty() ? score.missed : score.found);
    if (is_right(program, findings)) continue;
    std::cout << program.name << ": expected " << (program.rule.empty() ? "nothing" : program.rule) << ", reported" << describe(findings) << "\n" << program.text;
    FAIL_CHECK(program.name);
  }
  show(scores);
}

}  // namespace ranklint::test
