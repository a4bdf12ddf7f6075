// The analysis on IR that was written by hand, with the facts that it must produce as comments (case.h).
//
//   RANKLINT_UPDATE=1 analysis_test    rewrite the facts to what is produced, to be reviewed as a diff
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "analyzer/interp/effects.h"
#include "analyzer/questions/silent_steps.h"
#include "tests/analysis/comparison.h"
#include "tests/support/file_cases.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

constexpr size_t kWidest = 110;

// Takes the case's module.
FactsByLine facts_of(AnalysisCase& file) {
  std::vector<ir::Module> modules;
  modules.push_back(std::move(file.module));
  const Models models = Models::builtin();
  const ProjectIndex index(std::move(modules), models.roles());
  Interpreter interpreter(index, models);
  interpreter.keep_assigned_values();
  complete_effects(interpreter);
  leave_out(interpreter, silent_steps(interpreter.query()));
  const Subject subject{file, interpreter.query()};
  std::vector<Fact> facts;
  if (file.kinds.count("uniformity")) add_uniformity(subject, facts);
  if (file.kinds.count("summary")) add_summaries(subject, facts);
  if (file.kinds.count("path")) add_path_conditions(subject, facts);
  if (file.kinds.count("walk")) add_walks(subject, facts);
  if (file.kinds.count("divergence")) add_divergences(interpreter.query(), facts);
  if (file.kinds.count("failure")) add_failures(subject, facts);
  if (file.kinds.count("messages")) add_messages(subject, facts);
  if (file.kinds.count("execution")) add_execution(subject, facts);
  return by_line(facts);
}

// The text with the produced facts. A fact that does not fit after the code stands below it.
void rewrite(const AnalysisCase& file, const FactsByLine& produced) {
  std::string text;
  uint32_t number = 0;
  for (std::string_view rest = file.text; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view raw = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    const size_t code = end_of_code(raw);
    if (code == 0) {
      if (!raw.starts_with(";^")) text.append(raw).append("\n");
      continue;
    }
    text.append(raw.substr(0, code));
    const auto facts = produced.find(number);
    std::string list = facts == produced.end() ? "" : joined(facts->second, false);
    if (!list.empty()) {
      const size_t column = std::max<size_t>(code + 1, 44);
      if (column + list.size() <= kWidest)
        text.append(std::string(column - code, ' ') + "; " + list);
      else
        for (const Fact& fact : facts->second)
          if (!fact.is_default) text.append("\n;^ " + fact.text);
    }
    text.append("\n");
  }
  std::ofstream(source_path(file.path), std::ios::binary) << text;
}

void check(const std::string& path) {
  AnalysisCase file = read_case(path);
  const FactsByLine produced = facts_of(file);
  const std::vector<std::string> wrong = differences(file.path, file.stated, produced);
  if (update_expectations() && !wrong.empty()) return rewrite(file, produced);
  // Printed here, because Catch2 would break the lines.
  for (const std::string& line : wrong) std::cout << line << std::endl;
  CHECK(wrong.size() == 0);
  CHECK_FALSE(file.stated.empty());
}

const bool kAdded = add_cases_below("testdata/analysis", ".ir", check);

}  // namespace

}  // namespace ranklint::test
