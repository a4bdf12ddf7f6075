// What a rule is: its metadata, its page and a check over the facts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/finding.h"

namespace ranklint {

struct DeclaredRule;  // rules/declarative/declared_rule.h

struct Facts;        // analyzer/compare/facts.h
struct BrokenPiece;  // analyzer/project/project.h

struct RuleInfo {
  std::string_view id;       // "rank-guarded-collective"; what people write in suppressions
  std::string_view code;     // "RL101"; stable once published
  std::string_view summary;  // one line, lower case, no full stop
  Severity severity = Severity::Error;
  std::string_view since;  // the first version that had it
  // What happens because of a finding, where no rank waits forever: "the result is wrong". Empty: ranks wait, and runs
  // of the rule's fixtures show it.
  std::string_view no_wait;
  bool default_on = true;
};

using Reporter = std::vector<Finding>;

struct Rule {
  const RuleInfo* info;
  void (*check)(const Facts& facts, Reporter& report);  // null: reported by the application itself (RL9xx)
  // The last parts of the names of the calls that the check looks for in Facts::calls: "init_process_group". An
  // assignment to `os.environ[...]` is a call of "__setitem__".
  std::span<const std::string_view> calls = {};
  const DeclaredRule* declared = nullptr;  // a rule written in JSON: what to look for; `check` is null
};

// Every rule, sorted by code.
std::span<const Rule> all_rules();

// By id or code, case-insensitively; null when there is none.
const Rule* find_rule(std::string_view id_or_code);

// The rule's page in Markdown, as compiled in from rules/<pack>/<id>.md; empty when there is none.
std::string_view rule_page(std::string_view id);

// The names of all calls that the rules ask for, for AnalysisOptions::watched.
std::vector<std::string> watched_calls(std::span<const Rule> rules);

// Runs the rules and returns the findings in report order. A rule in which a bug of ours shows is left out, and
// `broken` says which.
std::vector<Finding> run_rules(const Facts& facts, std::span<const Rule> rules, std::vector<BrokenPiece>& broken);
// The same where nobody asks which.
std::vector<Finding> run_rules(const Facts& facts, std::span<const Rule> rules = all_rules());

}  // namespace ranklint
