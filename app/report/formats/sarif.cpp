// SARIF 2.1.0 as GitHub code scanning takes it and editors show it. Columns are UTF-16 units, paths are relative
// to the project root, and each finding carries two fingerprints: GitHub's own of its line and ours.
#include "app/report/formats/sarif.h"

#include <algorithm>
#include <map>

#include "app/report/fingerprint.h"
#include "app/report/formats/formats.h"
#include "app/report/unchecked.h"
#include "app/report/uri.h"

namespace ranklint::report {

namespace sarif {

namespace {

constexpr std::string_view kRoot = "%SRCROOT%";

Json artifact(const std::string& path) {
  if (path.starts_with('/')) return {{"uri", file_uri(path)}};
  return {{"uri", uri_path(path)}, {"uriBaseId", kRoot}};
}

Json region(const SourceRange& range) {
  Json out{{"startLine", range.line}, {"startColumn", range.column}};
  if (range.end_line != 0) out["endLine"] = range.end_line;
  if (range.end_column != 0) out["endColumn"] = range.end_column;
  return out;
}

// In a message "[words](3)" is a link and "{0}" an argument; what only looks so is escaped.
std::string escaped(std::string_view text, bool inside_link) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool bracket = c == '[' || c == ']';
    if (bracket && (inside_link || text.find("](") != text.npos)) out += '\\';
    const bool argument = c == '{' && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
    if (argument) out += '{';
    out += c;
    if (c == '}' && i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9') out += '}';
  }
  return out;
}

}  // namespace

Json location(const Location& at, Sources& sources, const std::string& message, const std::string& function) {
  Json out = Json::object();
  if (!at.path.empty()) out["physicalLocation"]["artifactLocation"] = artifact(at.path);
  if (const SourceRange range = sources.in_unit(at, ColumnUnit::Utf16); range.known() && !at.path.empty())
    out["physicalLocation"]["region"] = region(range);
  if (!function.empty())
    out["logicalLocations"] = Json::array({{{"fullyQualifiedName", function}, {"kind", "function"}}});
  if (!message.empty()) out["message"]["text"] = escaped(message, false);
  return out;
}

namespace {

constexpr uint32_t kMostSnippetLines = 12;
constexpr size_t kLongestSnippet = 2000;  // bytes

std::string lines_of(const SourceText& file, uint32_t first, uint32_t last) {
  std::string out;
  for (uint32_t line = first; line <= last; ++line) out += std::string(file.line(line)) + (line < last ? "\n" : "");
  return out;
}

// The code itself, for readers of the log without the files: the range, and its lines with one around them.
void add_snippets(Json& physical, const Location& at, Sources& sources) {
  const SourceText& file = sources.file(at.path);
  const SourceRange& range = at.range;
  if (!file.has_line(range.line) || !file.has_line(range.end_line) || range.end_line < range.line ||
      range.end_line - range.line >= kMostSnippetLines)
    return;
  const uint32_t first = std::max(1u, range.line - 1);
  const uint32_t last = std::min(file.line_count(), range.end_line + 1);
  const std::string context = lines_of(file, first, last);
  if (context.size() > kLongestSnippet) return;
  const std::string whole = lines_of(file, range.line, range.end_line);
  const size_t begin = std::min<size_t>(std::max(1u, range.column) - 1, whole.size());
  const size_t left_over = file.line(range.end_line).size() -
                           std::min<size_t>(file.line(range.end_line).size(), std::max(1u, range.end_column) - 1);
  const size_t end = std::max(begin, whole.size() - left_over);
  physical["region"]["snippet"]["text"] = whole.substr(begin, end - begin);
  physical["contextRegion"] = {{"startLine", first}, {"endLine", last}, {"snippet", {{"text", context}}}};
}

// A result must have a region: a finding about no place is about its whole file.
Json result_location(const Finding& finding, Sources& sources) {
  Json out = location(finding.primary, sources, "", finding.function);
  if (finding.primary.range.known() && !finding.primary.path.empty())
    add_snippets(out["physicalLocation"], finding.primary, sources);
  if (!finding.primary.range.known() && !finding.primary.path.empty())
    out["physicalLocation"]["region"] = {{"startLine", 1},
                                         {"endLine", std::max(1u, sources.file(finding.primary.path).line_count())}};
  return out;
}

std::string with_stop(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

// The places that a message links to: the finding's related ones, then where each lane ends.
std::vector<RelatedLocation> linked_places(const Finding& finding) {
  std::vector<RelatedLocation> out;
  for (const RelatedLocation& related : finding.related)
    if (!related.location.path.empty()) out.push_back(related);
  for (const WitnessLane& lane : finding.witness.lanes)
    if (!lane.steps.empty() && !lane.end.empty())
      out.push_back({lane.steps.back().location, lane.ranks + ": " + lane.end});
  return out;
}

// GitHub makes the first sentence the alert's title, so the links stand after it.
std::string message_of(const Finding& finding, const std::vector<RelatedLocation>& places) {
  std::string text = with_stop(escaped(finding.message, false));
  for (size_t i = 0; i < places.size(); ++i) {
    const std::string& words = places[i].message;
    text += "\n- [" + escaped(words.empty() ? "related code" : words, true) + "](" + std::to_string(i + 1) + ")";
  }
  return text;
}

// SARIF's rank is from 0 to 100: how much a reader should care, here how sure we are.
double rank_of(Confidence confidence) {
  switch (confidence) {
    case Confidence::Possible: return 25;
    case Confidence::Likely: return 50;
    case Confidence::High: return 75;
    case Confidence::Certain: return 100;
  }
  return 50;
}

class Writer {
 public:
  explicit Writer(const ReportInput& input) : input_(input), sources_(input.source), driver_(driver(input)) {}

  Json log() {
    Json run{{"tool", {{"driver", driver_}}},
             {"invocations", Json::array({invocation()})},
             {"automationDetails", {{"id", "ranklint/"}}},
             {"columnKind", "utf16CodeUnits"},
             {"originalUriBaseIds", {{kRoot, root()}}},
             {"results", results()}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(run)})}};
  }

 private:
  Json root() const {
    Json out = Json::object();
    if (!input_.project_root.empty()) out["uri"] = folder_uri(input_.project_root);
    out["description"]["text"] = "The root of the checked project.";
    return out;
  }

  Json invocation() {
    Json out{{"executionSuccessful", !input_.failed}};
    if (!input_.project_root.empty()) out["workingDirectory"]["uri"] = folder_uri(input_.project_root);
    Json notes = Json::array();
    for (const ReportNote& n : input_.notes) notes.push_back(notification(n));
    for (const UnreadFiles& files : input_.unread) notes.push_back(notification(files));
    for (const IncompletePlace& place : input_.incomplete) notes.push_back(notification(place));
    if (!notes.empty()) out["toolExecutionNotifications"] = std::move(notes);
    return out;
  }

  Json notification(const ReportNote& note) {
    Json out{{"level", level_of(note.severity)},
             {"message", {{"text", with_stop(escaped(note.message, false))}}},
             {"associatedRule", {{"id", note.code}, {"index", rule_index(driver_, note.code)}}}};
    if (!note.location.path.empty()) out["locations"] = Json::array({location(note.location, sources_, "")});
    return out;
  }

  Json notification(const UnreadFiles& files) {
    std::string text = report::counted(files.paths.size(), files.kind) +
                       (files.paths.size() == 1 ? " was not read: " : " were not read: ") + files.why;
    if (!files.way_out.empty()) text += "; " + files.way_out;
    Json places = Json::array();
    for (const std::string& path : files.paths) places.push_back(location({path, {}}, sources_, ""));
    return {{"descriptor", {{"id", kUnreadFiles}, {"index", 0}}},
            {"level", input_.failed ? "error" : "warning"},
            {"message", {{"text", with_stop(escaped(text, false))}}},
            {"locations", std::move(places)}};
  }

  Json notification(const IncompletePlace& place) {
    Json out{{"descriptor", {{"id", kNotCheckedWhole}, {"index", 1}}},
             {"level", "note"},
             {"message", {{"text", with_stop(escaped(report::text_of(place), false))}}}};
    if (place.path.empty()) return out;
    const SourceRange line = place.line == 0 ? SourceRange{} : SourceRange{place.line, 1, 0, 0};
    out["locations"] = Json::array({location({place.path, line}, sources_, "", place.function)});
    return out;
  }

  Json results() {
    const Fingerprints prints = fingerprints(input_.findings, input_.suppressed);
    Json out = Json::array();
    for (size_t i = 0; i < input_.findings.size(); ++i) {
      out.push_back(result(input_.findings[i], prints.findings[i]));
      if (input_.has_baseline) out.back()["baselineState"] = "new";
    }
    for (size_t i = 0; i < input_.suppressed.size(); ++i) {
      const SuppressedFinding& s = input_.suppressed[i];
      out.push_back(result(s.finding, prints.suppressed[i]));
      out.back()["suppressions"] = Json::array({suppression(s)});
      if (input_.has_baseline) out.back()["baselineState"] = "unchanged";  // known, by the baseline or by a comment
    }
    return out;
  }

  Json result(const Finding& f, const std::string& fingerprint) {
    const std::vector<RelatedLocation> places = linked_places(f);
    Json out{{"ruleId", f.code},
             {"ruleIndex", rule_index(driver_, f.code)},
             {"level", level_of(f.severity)},
             {"message", {{"text", message_of(f, places)}}},
             {"locations", Json::array({result_location(f, sources_)})}};
    Json related = Json::array();
    for (size_t i = 0; i < places.size(); ++i) {
      Json place{{"id", i + 1}};
      place.update(location(places[i].location, sources_, places[i].message));
      related.push_back(std::move(place));
    }
    if (!related.empty()) out["relatedLocations"] = std::move(related);
    if (Json flow = code_flow(f, sources_); !flow.is_null()) out["codeFlows"] = Json::array({std::move(flow)});
    out["partialFingerprints"] = partial_fingerprints(f, fingerprint);
    out["rank"] = rank_of(f.confidence);
    out["properties"] = {{"confidence", word(f.confidence)}};
    for (const FindingDoubt& doubt : f.doubts)
      out["properties"]["doubts"].push_back(
          {{"id", info_of(doubt.reason).id}, {"sentence", info_of(doubt.reason).sentence}});
    for (const FindingAssumption& rests : f.evidence)
      out["properties"]["evidence"].push_back(
          {{"id", info_of(rests.assumption.kind).id}, {"sentence", sentence_of(rests.assumption)}});
    if (f.verdict) {
      out["properties"]["verified"] = report::word(f.verdict->kind);
      out["properties"]["verdict"] = {{"reason", f.verdict->reason}, {"ranks", f.verdict->ranks}};
    }
    if (!f.help.empty()) out["properties"]["help"] = f.help;
    if (const std::optional<ReportFix> way = input_.fix ? input_.fix(f) : std::nullopt) {
      out["fixes"] = Json::array({fix(*way)});
      out["properties"]["fixIsSafe"] = way->safe;
    }
    return out;
  }

  Json fix(const ReportFix& way) {
    Json replacements = Json::array();
    for (const ReportFix::Edit& edit : way.edits) {
      const SourceRange range =
          sources_.in_unit({way.path, sources_.file(way.path).range(edit.begin, edit.end)}, ColumnUnit::Utf16);
      Json replacement{{"deletedRegion", region(range)}};
      if (!edit.text.empty()) replacement["insertedContent"]["text"] = edit.text;
      replacements.push_back(std::move(replacement));
    }
    return {{"description", {{"text", with_stop(escaped(way.title, false))}}},
            {"artifactChanges",
             Json::array({{{"artifactLocation", artifact(way.path)}, {"replacements", std::move(replacements)}}})}};
  }

  Json partial_fingerprints(const Finding& f, const std::string& fingerprint) {
    Json out = Json::object();
    const std::vector<std::string>& hashes = hashes_of(f.primary.path);
    if (f.primary.range.known() && f.primary.range.line <= hashes.size())
      out["primaryLocationLineHash"] = hashes[f.primary.range.line - 1];
    out["ranklint/v1"] = fingerprint;
    return out;
  }

  const std::vector<std::string>& hashes_of(const std::string& path) {
    const auto found = hashes_.find(path);
    if (found != hashes_.end()) return found->second;
    const std::string_view bytes = sources_.file(path).bytes();
    return hashes_.emplace(path, bytes.empty() ? std::vector<std::string>() : line_hashes(bytes)).first->second;
  }

  Json suppression(const SuppressedFinding& s) {
    Json out{{"kind", s.by == SuppressedFinding::By::Comment ? "inSource" : "external"}, {"status", "accepted"}};
    if (!s.reason.empty()) out["justification"] = s.reason;
    if (!s.location.path.empty()) out["location"] = location(s.location, sources_, "");
    return out;
  }

  const ReportInput& input_;
  Sources sources_;
  Json driver_;
  std::map<std::string, std::vector<std::string>> hashes_;  // by path
};

}  // namespace

}  // namespace sarif

std::string render_sarif(const ReportInput& input) {
  return sarif::Writer(input).log().dump(2, ' ', false, sarif::Json::error_handler_t::replace) + "\n";
}

}  // namespace ranklint::report
