#include "app/suppress/suppress.h"

#include <algorithm>
#include <map>

#include "app/config/selectors.h"
#include "app/suppress/directive.h"

namespace ranklint::app {

namespace {

constexpr std::string_view kUnused = "unused-suppression";
constexpr std::string_view kUnknown = "unknown-rule";

// A comment and which of its selectors have suppressed something.
struct TrackedDirective {
  Directive directive;
  std::vector<bool> used;
};

using DirectivesByFile = std::map<std::string, std::vector<TrackedDirective>, std::less<>>;

const RuleInfo* rule_called(std::span<const Rule> rules, std::string_view id) {
  for (const Rule& rule : rules)
    if (rule.info->id == id) return rule.info;
  return nullptr;
}

bool speaks_of(const Directive& directive, const SourceRange& range) {
  if (!directive.mistake.empty()) return false;
  return directive.whole_file || directive.line == range.line || (range.known() && directive.line == range.end_line);
}

// Marks every directive that fits the finding; the first of them, or null.
const Directive* match(std::vector<TrackedDirective>& directives, const Finding& finding, const RuleInfo& rule) {
  const Directive* first = nullptr;
  for (TrackedDirective& tracked : directives) {
    if (!speaks_of(tracked.directive, finding.primary.range)) continue;
    // What is wrong with a comment is hidden by it only where it says so.
    const unsigned least = tracked.directive.range == finding.primary.range ? 2 : 1;
    for (size_t i = 0; i < tracked.used.size(); ++i) {
      if (selector_fit(tracked.directive.selectors[i], rule) < least) continue;
      tracked.used[i] = true;
      if (first == nullptr) first = &tracked.directive;
    }
  }
  return first;
}

class Suppressor {
 public:
  Suppressor(std::span<const FileNotes> files, const SuppressionContext& context) : context_(context) {
    for (const FileNotes& file : files) {
      if (file.pragmas.empty()) continue;
      std::vector<TrackedDirective>& tracked = by_file_[file.path];
      for (Directive& directive : read_directives(file.pragmas, context.source(file.path))) {
        std::vector<bool> used(directive.selectors.size(), false);
        tracked.push_back({std::move(directive), std::move(used)});
      }
    }
  }

  void take(std::vector<Finding> findings) {
    for (Finding& finding : findings) take_one(std::move(finding));
  }

  // Call when all other findings have been taken.
  void report_mistakes() {
    std::vector<Finding> found;
    for (const auto& [path, directives] : by_file_)
      for (const TrackedDirective& tracked : directives) {
        report_unknown(path, tracked, found);
        report_unused(path, tracked, found);
      }
    take(std::move(found));
  }

  SuppressionResult result;

 private:
  void take_one(Finding finding) {
    const auto file = by_file_.find(finding.primary.path);
    const RuleInfo* rule = rule_called(context_.rules, finding.rule);
    const Directive* directive =
        file == by_file_.end() || rule == nullptr ? nullptr : match(file->second, finding, *rule);
    if (directive == nullptr) {
      result.findings.push_back(std::move(finding));
      return;
    }
    if (directive->reason.empty()) ++result.without_reason;
    Location place{finding.primary.path, directive->range};
    result.suppressed.push_back(
        {std::move(finding), directive->reason, std::move(place), SuppressedFinding::By::Comment});
  }

  void add(std::string_view id, const std::string& path, const Directive& directive, std::string key,
           std::string message, std::string help, std::vector<Finding>& found) const {
    const RuleInfo* rule = rule_called(context_.rules, id);
    if (rule == nullptr || !context_.selected(*rule, path)) return;
    Finding finding = tool_finding(*rule, {path, directive.range}, std::move(message));
    finding.help = std::move(help);
    finding.fingerprint_key = std::move(key);
    found.push_back(std::move(finding));
  }

  void report_unknown(const std::string& path, const TrackedDirective& tracked, std::vector<Finding>& found) const {
    const Directive& directive = tracked.directive;
    if (!directive.mistake.empty())
      return add(kUnknown, path, directive, directive.mistake, directive.mistake,
                 "write `ranklint: ignore[rule-id] reason`; `ranklint rules` lists the rules", found);
    for (const std::string& selector : directive.selectors) {
      if (names_a_rule(selector, context_.rules)) continue;
      const auto near = nearest(selector, rule_names(context_.rules));
      const bool is_list = selector.find(' ') != std::string::npos &&
                           names_a_rule(selector.substr(0, selector.find(' ')), context_.rules);
      add(kUnknown, path, directive, selector,
          "no rule is called `" + selector + "`" + (is_list ? "; rules are separated by commas" : ""),
          near ? "did you mean `" + *near + "`?" : "`ranklint rules` lists the rules", found);
    }
  }

  // Rules that are off in this run could not have found anything, and those about comments are not judged.
  bool could_have_been_used(const std::string& selector, const std::string& path) const {
    return std::any_of(context_.rules.begin(), context_.rules.end(), [&](const Rule& rule) {
      return rule.info->id != kUnused && rule.info->id != kUnknown && selector_fit(selector, *rule.info) > 0 &&
             context_.selected(*rule.info, path);
    });
  }

  void report_unused(const std::string& path, const TrackedDirective& tracked, std::vector<Finding>& found) const {
    const Directive& directive = tracked.directive;
    if (!directive.mistake.empty()) return;
    std::string unused;
    for (size_t i = 0; i < tracked.used.size(); ++i) {
      const std::string& selector = directive.selectors[i];
      if (tracked.used[i] || !could_have_been_used(selector, path)) continue;
      unused.append(unused.empty() ? "`" : ", `").append(selector).append("`");
    }
    if (unused.empty()) return;
    const std::string where = directive.whole_file ? "in this file" : "on line " + std::to_string(directive.line);
    const uint32_t meant = directive.whole_file ? 0 : line_meant(path, tracked);
    add(kUnused, path, directive, unused,
        "this comment ignores " + unused + ", which reports nothing " + where +
            (meant == 0 ? "" : "; the finding is on line " + std::to_string(meant)),
        meant == 0 ? "delete the comment, or what is unused in it" : "put the comment on that line, or delete it",
        found);
  }

  // The line of the nearest finding that the comment would ignore if it stood there; 0: there is none near.
  uint32_t line_meant(const std::string& path, const TrackedDirective& tracked) const {
    constexpr uint32_t kNear = 10;
    uint32_t best = 0, least = kNear + 1;
    for (const Finding& finding : result.findings) {
      const RuleInfo* rule = finding.primary.path == path ? rule_called(context_.rules, finding.rule) : nullptr;
      if (rule == nullptr) continue;
      const uint32_t line = finding.primary.range.line, own = tracked.directive.line;
      const uint32_t distance = line > own ? line - own : own - line;
      for (size_t i = 0; i < tracked.used.size(); ++i) {
        if (tracked.used[i] || distance >= least || selector_fit(tracked.directive.selectors[i], *rule) == 0) continue;
        best = line;
        least = distance;
      }
    }
    return best;
  }

  const SuppressionContext& context_;
  DirectivesByFile by_file_;
};

}  // namespace

Finding tool_finding(const RuleInfo& rule, Location location, std::string message) {
  Finding finding;
  finding.rule = rule.id;
  finding.code = rule.code;
  finding.severity = rule.severity;
  finding.confidence = Confidence::Certain;
  finding.primary = std::move(location);
  finding.message = std::move(message);
  return finding;
}

SuppressionResult suppress(std::vector<Finding> findings, std::span<const FileNotes> files,
                           const SuppressionContext& context) {
  Suppressor suppressor(files, context);
  suppressor.take(std::move(findings));
  suppressor.report_mistakes();
  return std::move(suppressor.result);
}

}  // namespace ranklint::app
