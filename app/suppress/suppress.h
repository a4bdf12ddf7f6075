// Removes the findings that comments suppress, and reports comments that do nothing.
//
// A finding is suppressed by a comment on the first or the last line of its primary range (a call over several lines
// has its comment where there is room) or by one for its whole file. Every comment that fits counts as used.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/project/project.h"
#include "app/report/report.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace ranklint::app {

// A finding of the application itself, without help.
Finding tool_finding(const RuleInfo& rule, Location location, std::string message);

struct SuppressionResult {
  std::vector<Finding> findings;
  std::vector<SuppressedFinding> suppressed;
  size_t without_reason = 0;  // of the suppressed
};

// What suppress needs to know of the run.
struct SuppressionContext {
  std::span<const Rule> rules;
  std::function<bool(const RuleInfo&, const std::string& path)> selected;  // whether a rule is on in a file
  std::function<std::string_view(const std::string& path)> source;
};

// `findings` are those of the rules that are on, hidden ones included: a comment that suppresses a finding below
// the threshold is used. The result has `unused-suppression` and `unknown-rule` findings added; it is not sorted.
SuppressionResult suppress(std::vector<Finding> findings, std::span<const FileNotes> files,
                           const SuppressionContext& context);

}  // namespace ranklint::app
