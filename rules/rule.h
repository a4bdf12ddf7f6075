// What a rule is: its metadata, its page and what it finds.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/finding.h"

namespace ranklint {

struct DeclaredRule;  // rules/declarative/declared_rule.h

class Query;      // analyzer/summary/query.h
struct Shared;    // analyzer/project/shared.h
struct Pass;      // analyzer/project/project.h
struct Analysis;  // analyzer/project/project.h

struct RuleInfo {
  std::string_view id;       // "rank-guarded-collective"; what people write in suppressions
  std::string_view code;     // "RL101"; stable once published
  std::string_view summary;  // one line, lower case, no full stop
  Severity severity = Severity::Error;
  std::string_view since;  // the first version that had it
  // What happens because of a finding, where no rank waits forever: "the result is wrong". Empty: ranks wait, and runs
  // of the rule's fixtures show it.
  std::string_view no_wait = {};
  // What each of its findings takes for granted that says nothing else of what it rests on: "the job has more than one
  // machine". A whole sentence, lower case, no full stop.
  std::string_view premise = {};
  bool default_on = true;
};

struct Rule {
  const RuleInfo* info;
  // Findings in the functions that `in` checks. `shared` has what several rules need: it is computed once for all of
  // them. Each rule has its own query and may run on any thread. Null: reported by the application itself (RL9xx).
  std::vector<Finding> (*find)(const Query& in, const Shared& shared);
  // The last parts of the names of the calls that it looks for in Shared::calls or Query::watched:
  // "init_process_group". An assignment to `os.environ[...]` is a call of "__setitem__".
  std::span<const std::string_view> calls = {};
  const DeclaredRule* declared = nullptr;  // a rule written in JSON: what to look for; `find` is null
  bool reads_messages = false;             // Shared::messages
};

// Every rule, sorted by code.
std::span<const Rule> all_rules();

// By id or code, case-insensitively; null when there is none.
const Rule* find_rule(std::string_view id_or_code);

// The rule's page in Markdown, as compiled in from rules/<pack>/<id>.md; empty when there is none.
std::string_view rule_page(std::string_view id);

// The names of all calls that the rules ask for, for AnalysisOptions::watched.
std::vector<std::string> watched_calls(std::span<const Rule> rules);

// What the rules look for, for AnalysisOptions::passes. What their `info` and `declared` point to must live as long as
// what is made here.
std::vector<Pass> passes_of(std::span<const Rule> rules);
// What those of them found that were among the analysis's passes, in report order.
std::vector<Finding> findings_of(const Analysis& analysis, std::span<const Rule> rules = all_rules());

}  // namespace ranklint
