// reviewdog's diagnostic format: what is needed to comment on the lines of a review, wherever it takes place.
// Its columns count bytes of UTF-8, as ours do inside.
#include <nlohmann/json.hpp>

#include "app/report/entries.h"
#include "app/report/formats/formats.h"
#include "app/report/source_text.h"

namespace ranklint::report {

namespace {

using Json = nlohmann::ordered_json;

std::string_view rdjson_severity(Severity severity) {
  switch (severity) {
    case Severity::Info: return "INFO";
    case Severity::Warning: return "WARNING";
    case Severity::Error: return "ERROR";
  }
  return "INFO";
}

Json location(const Location& at) {
  Json out{{"path", at.path}};
  const SourceRange& range = at.range;
  if (!range.known()) return out;
  out["range"]["start"] = {{"line", range.line}, {"column", std::max(1u, range.column)}};
  if (range.end_line != 0 && range.end_column != 0)
    out["range"]["end"] = {{"line", range.end_line}, {"column", range.end_column}};
  return out;
}

std::string text_of(const Entry& entry) {
  std::string out = entry.message;
  if (const std::string details = details_of(entry); !details.empty()) out += "\n\n```\n" + details + "```";
  return out;
}

// It takes what changes the file of the finding.
Json suggestions_for(const Finding& finding, const ReportInput& input, Sources& sources) {
  Json out = Json::array();
  const std::optional<ReportFix> fix = input.fix ? input.fix(finding) : std::nullopt;
  if (!fix || fix->path != finding.primary.path) return out;
  for (const ReportFix::Edit& edit : fix->edits) {
    const SourceRange range = sources.file(fix->path).range(edit.begin, edit.end);
    out.push_back({{"range",
                    {{"start", {{"line", range.line}, {"column", range.column}}},
                     {"end", {{"line", range.end_line}, {"column", range.end_column}}}}},
                   {"text", edit.text}});
  }
  return out;
}

Json diagnostic(const Entry& entry, const ReportInput& input, Sources& sources) {
  Json code{{"value", entry.code + " " + entry.rule}};
  if (!input.home_page.empty()) code["url"] = input.home_page;
  Json out{{"message", text_of(entry)},
           {"location", location(entry.location)},
           {"severity", rdjson_severity(entry.severity)},
           {"code", std::move(code)}};
  if (entry.finding == nullptr) return out;
  Json related = Json::array();
  for (const RelatedLocation& r : entry.finding->related)
    if (!r.location.path.empty()) related.push_back({{"message", r.message}, {"location", location(r.location)}});
  if (!related.empty()) out["relatedLocations"] = std::move(related);
  if (Json suggestions = suggestions_for(*entry.finding, input, sources); !suggestions.empty())
    out["suggestions"] = std::move(suggestions);
  return out;
}

}  // namespace

std::string render_rdjson(const ReportInput& input) {
  Json source{{"name", "ranklint"}};
  if (!input.home_page.empty()) source["url"] = input.home_page;
  Json diagnostics = Json::array();
  Sources sources(input.source);
  for (const Entry& entry : entries(input)) diagnostics.push_back(diagnostic(entry, input, sources));
  const Json out{{"source", std::move(source)}, {"diagnostics", std::move(diagnostics)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ranklint::report
