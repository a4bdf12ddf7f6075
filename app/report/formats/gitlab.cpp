// GitLab's code quality report: a list of issues after Code Climate's model, shown beside the lines of a merge request.
#include <nlohmann/json.hpp>

#include "app/report/entries.h"
#include "app/report/formats/formats.h"
#include "app/report/source_text.h"

namespace ranklint::report {

namespace {

using Json = nlohmann::ordered_json;

std::string_view gitlab_severity(Severity severity) {
  switch (severity) {
    case Severity::Info: return "info";
    case Severity::Warning: return "major";
    case Severity::Error: return "critical";
  }
  return "info";
}

// Lines are required: what is about no line is about the first.
Json gitlab_location(const Location& at) {
  const uint32_t line = at.range.known() ? at.range.line : 1;
  return {{"path", at.path}, {"lines", {{"begin", line}, {"end", std::max(line, at.range.end_line)}}}};
}

Json issue(const Entry& entry) {
  Json out{{"type", "issue"},
           {"check_name", entry.rule},
           {"description", entry.code + " " + entry.message},
           {"categories", Json::array({"Bug Risk"})},
           {"severity", gitlab_severity(entry.severity)},
           {"fingerprint", entry.fingerprint},
           {"location", gitlab_location(entry.location)}};
  if (const std::string details = details_of(entry); !details.empty())
    out["content"] = {{"body", "```\n" + details + "```\n"}};
  if (entry.finding == nullptr) return out;
  Json others = Json::array();
  for (const RelatedLocation& related : entry.finding->related)
    if (!related.location.path.empty()) others.push_back(gitlab_location(related.location));
  if (!others.empty()) out["other_locations"] = std::move(others);
  return out;
}

}  // namespace

std::string render_gitlab(const ReportInput& input) {
  Json out = Json::array();
  for (const Entry& entry : entries(input)) out.push_back(issue(entry));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ranklint::report
