// SARIF's description of the tool: what GitHub shows beside an alert.
#include <algorithm>
#include <map>

#include "app/report/formats/sarif.h"
#include "app/report/unicode.h"

namespace ranklint::report::sarif {

namespace {

constexpr size_t kLongestDescription = 1000;  // GitHub takes 1024 characters

std::string as_sentence(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  if (!out.empty() && !out.ends_with('.')) out += '.';
  return out;
}

// "rank-guarded-collective" -> "RankGuardedCollective", as SARIF wants its names.
std::string pascal_case(std::string_view id) {
  std::string out;
  bool capital = true;
  for (const char c : id) {
    if (c == '-') {
      capital = true;
      continue;
    }
    out += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    capital = false;
  }
  return out;
}

// The first paragraph under the page's first heading of the second level ("What it does"), on one line.
std::string first_paragraph(std::string_view page) {
  size_t at = page.find("\n## ");
  if (at == page.npos) return {};
  at = page.find('\n', at + 1);
  std::string out;
  while (at != page.npos && at + 1 < page.size()) {
    const size_t end = page.find('\n', at + 1);
    const std::string_view line = page.substr(at + 1, end - at - 1);
    if (line.empty() ? !out.empty() : line.starts_with('#')) break;
    if (!line.empty()) out += (out.empty() ? "" : " ") + std::string(line);
    at = end;
  }
  return out;
}

std::string shortened(std::string text) {
  if (text.size() <= kLongestDescription) return text;
  const size_t space = text.rfind(' ', kLongestDescription);
  return text.substr(0, space == text.npos ? kLongestDescription : space) + " ...";
}

std::string_view precision_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return "high";
    case Severity::Warning: return "medium";
    case Severity::Info: return "low";
  }
  return "medium";
}

std::string_view problem_severity_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Info: return "recommendation";
  }
  return "warning";
}

Json rule(const RuleInfo& info, std::string_view page) {
  const std::string summary = as_sentence(info.summary.empty() ? info.id : info.summary);
  const std::string description = first_paragraph(page);
  const std::string help = page.empty() ? summary : std::string(page);
  return {{"id", info.code},
          {"name", pascal_case(info.id)},
          {"shortDescription", {{"text", summary}}},
          {"fullDescription", {{"text", description.empty() ? summary : as_sentence(shortened(description))}}},
          {"help", {{"text", help}, {"markdown", help}}},
          {"defaultConfiguration", {{"enabled", info.default_on}, {"level", level_of(info.severity)}}},
          {"properties",
           {{"tags", Json::array({"distributed", "correctness", info.id})},
            {"precision", precision_of(info.severity)},
            {"problem.severity", problem_severity_of(info.severity)}}}};
}

Json notification_kind(std::string_view id, std::string_view text, std::string_view help) {
  return {{"id", id},
          {"name", pascal_case(id)},
          {"shortDescription", {{"text", text}}},
          {"fullDescription", {{"text", text}}},
          {"help", {{"text", help}, {"markdown", help}}}};
}

}  // namespace

std::string_view level_of(Severity severity) {
  switch (severity) {
    case Severity::Info: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "note";
}

Json driver(const ReportInput& input) {
  std::map<std::string_view, Json> rules;  // by code
  const auto add_unknown = [&](const std::string& code, const std::string& id, Severity severity) {
    if (!rules.contains(code))
      rules.emplace(code, rule({.id = id, .code = code, .summary = {}, .severity = severity, .since = {}}, {}));
  };
  for (const ReportRule& r : input.rules) rules.emplace(r.info->code, rule(*r.info, r.page));
  for (const Finding& f : input.findings) add_unknown(f.code, f.rule, f.severity);
  for (const SuppressedFinding& s : input.suppressed) add_unknown(s.finding.code, s.finding.rule, s.finding.severity);
  for (const ReportNote& n : input.notes) add_unknown(n.code, n.rule, n.severity);

  Json list = Json::array();
  for (auto& [code, json] : rules) list.push_back(std::move(json));
  Json out{{"name", "ranklint"}};
  if (!input.version.empty()) out["semanticVersion"] = input.version;
  // Validators ask for a URI; without a home page it is the name as a package URL spells it.
  out["informationUri"] = input.home_page.empty() ? "pkg:generic/ranklint" : input.home_page;
  out["rules"] = std::move(list);
  if (!input.unread.empty() || !input.incomplete.empty())
    out["notifications"] = Json::array(
        {notification_kind(
             kUnreadFiles, "Files that were not read, so that nothing was found in them.",
             "Make them readable, use a build of ranklint that reads them, or leave them out with `extend-exclude`."),
         notification_kind(
             kNotCheckedWhole, "A place that was read and not checked to the end.",
             "Nothing is concluded from what was not looked at; `ranklint check --strict` makes it an error.")});
  return out;
}

size_t rule_index(const Json& driver, const std::string& code) {
  const Json& rules = driver["rules"];
  const auto at = std::find_if(rules.begin(), rules.end(), [&](const Json& r) { return r["id"] == code; });
  return static_cast<size_t>(at - rules.begin());
}

}  // namespace ranklint::report::sarif
