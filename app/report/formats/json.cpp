// The findings as JSON, for programs. Fields are added, never renamed or taken away, while `schema_version` stays.
//
// Lines and columns count from 1, columns in Unicode code points; ends are exclusive. What is unknown is null.
#include <nlohmann/json.hpp>

#include "app/report/fingerprint.h"
#include "app/report/formats/formats.h"
#include "app/report/source_text.h"
#include "app/report/unchecked.h"

namespace ranklint::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

// Source files hold any bytes; JSON holds UTF-8. Broken bytes become U+FFFD.
std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json number_or_null(uint32_t number) { return number == 0 ? Json() : Json(number); }

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

class Writer {
 public:
  explicit Writer(const ReportInput& input) : input_(input), sources_(input.source) {}

  Json finding(const Finding& f, const std::string& fingerprint) {
    Json related = Json::array();
    for (const RelatedLocation& r : f.related)
      related.push_back({{"location", location(r.location)}, {"message", r.message}});
    Json out{{"rule", f.rule},
             {"code", f.code},
             {"severity", report::word(f.severity)},
             {"confidence", report::word(f.confidence)}};
    if (f.arrived_at != Confidence::Possible) out["arrived_at"] = report::word(f.arrived_at);
    if (!f.doubts.empty()) out["doubts"] = doubts(f);
    if (!f.evidence.empty()) out["evidence"] = evidence(f);
    out["message"] = f.message;
    out["location"] = location(f.primary);
    out["function"] = text_or_null(f.function);
    out["related"] = std::move(related);
    out["witness"] = witness(f.witness);
    out["verdict"] = verdict(f.verdict);
    out["help"] = text_or_null(f.help);
    out["fix"] = fix(f);
    out["fingerprint"] = fingerprint;
    return out;
  }

  Json suppressed(const SuppressedFinding& s, const std::string& fingerprint) {
    Json out = finding(s.finding, fingerprint);
    out["suppression"] = {{"by", s.by == SuppressedFinding::By::Comment ? "comment" : "baseline"},
                          {"reason", text_or_null(s.reason)},
                          {"location", location(s.location)}};
    return out;
  }

  Json note(const ReportNote& n) {
    return {{"rule", n.rule},
            {"code", n.code},
            {"severity", report::word(n.severity)},
            {"message", n.message},
            {"location", location(n.location)}};
  }

 private:
  Json location(const Location& at) {
    const SourceRange range = sources_.in_unit(at, ColumnUnit::CodePoint);
    return {{"path", text_or_null(at.path)},
            {"line", number_or_null(range.line)},
            {"column", number_or_null(range.column)},
            {"end_line", number_or_null(range.end_line)},
            {"end_column", number_or_null(range.end_column)}};
  }

  Json step(const WitnessStep& s) {
    return {{"kind", report::word(s.kind)},         {"text", s.text},       {"location", location(s.location)},
            {"function", text_or_null(s.function)}, {"nesting", s.nesting}, {"op", text_or_null(s.op)},
            {"group", text_or_null(s.group)}};
  }

  Json witness(const Witness& w) {
    if (w.lanes.empty()) return nullptr;
    Json lanes = Json::array();
    for (const WitnessLane& lane : w.lanes) {
      Json steps = Json::array();
      for (const WitnessStep& s : lane.steps) steps.push_back(step(s));
      lanes.push_back({{"ranks", lane.ranks}, {"steps", std::move(steps)}, {"end", text_or_null(lane.end)}});
    }
    return {{"lanes", std::move(lanes)}, {"assumptions", w.assumptions}};
  }

  Json doubts(const Finding& f) {
    Json out = Json::array();
    for (const FindingDoubt& doubt : f.doubts) {
      const ReasonInfo& info = info_of(doubt.reason);
      out.push_back({{"id", info.id},
                     {"sentence", info.sentence},
                     {"location", doubt.place.path.empty() ? Json() : location(doubt.place)}});
    }
    return out;
  }

  Json evidence(const Finding& f) {
    Json out = Json::array();
    for (const FindingAssumption& rests : f.evidence)
      out.push_back({{"id", info_of(rests.assumption.kind).id},
                     {"sentence", sentence_of(rests.assumption)},
                     {"location", rests.place.path.empty() ? Json() : location(rests.place)}});
    return out;
  }

  static Json verdict(const std::optional<Verdict>& v) {
    if (!v) return nullptr;
    return {{"kind", report::word(v->kind)}, {"reason", text_or_null(v->reason)}, {"ranks", v->ranks}};
  }

  Json fix(const Finding& f) {
    const std::optional<ReportFix> fix = input_.fix ? input_.fix(f) : std::nullopt;
    if (!fix) return nullptr;
    Json edits = Json::array();
    for (const ReportFix::Edit& edit : fix->edits)
      edits.push_back({{"location", location({fix->path, sources_.file(fix->path).range(edit.begin, edit.end)})},
                       {"text", edit.text}});
    return {{"safe", fix->safe}, {"title", fix->title}, {"edits", std::move(edits)}};
  }

  const ReportInput& input_;
  Sources sources_;
};

Json verified(const std::optional<Verified>& counts) {
  if (!counts) return nullptr;
  return {{"confirmed", counts->confirmed},
          {"refuted", counts->refuted.size()},
          {"not_replayable", counts->not_replayable}};
}

Json summary_of(const ReportInput& input) {
  size_t count[3] = {};
  for (const Finding& f : input.findings) ++count[static_cast<size_t>(f.severity)];
  return {{"errors", count[static_cast<size_t>(Severity::Error)]},
          {"warnings", count[static_cast<size_t>(Severity::Warning)]},
          {"infos", count[static_cast<size_t>(Severity::Info)]},
          {"suppressed", input.suppressed.size()},
          {"verified", verified(input.verified)},
          {"files", input.counts.files},
          {"functions", input.counts.functions},
          {"unresolved_calls", input.counts.unresolved_calls},
          {"limited_functions", input.counts.limited_functions},
          {"unknown_constructs", input.counts.unknown_constructs},
          {"programs", input.counts.programs},
          {"complete", unchecked_parts(input).empty()},
          {"unchecked", text_or_null(unchecked_sentence(input))}};
}

Json unread(const ReportInput& input) {
  Json out = Json::array();
  for (const UnreadFiles& files : input.unread)
    out.push_back({{"kind", files.kind},
                   {"count", files.paths.size()},
                   {"why", files.why},
                   {"way_out", text_or_null(files.way_out)},
                   {"paths", files.paths}});
  return out;
}

Json incomplete(const ReportInput& input) {
  Json out = Json::array();
  for (const IncompletePlace& place : input.incomplete)
    out.push_back({{"path", text_or_null(place.path)},
                   {"line", number_or_null(place.line)},
                   {"function", text_or_null(place.function)},
                   {"reason", place.reason},
                   {"message", place.message}});
  return out;
}

// Apart from the findings, since a run has shown that they are none.
Json refuted_findings(const ReportInput& input, Writer& writer) {
  Json out = Json::array();
  if (!input.verified) return out;
  const Fingerprints prints = fingerprints(input.verified->refuted, {});
  for (size_t i = 0; i < input.verified->refuted.size(); ++i)
    out.push_back(writer.finding(input.verified->refuted[i], prints.findings[i]));
  return out;
}

}  // namespace

std::string render_json(const ReportInput& input) {
  Writer writer(input);
  const Fingerprints prints = fingerprints(input.findings, input.suppressed);
  Json findings = Json::array(), suppressed = Json::array(), notes = Json::array(), truncated_runs = Json::array();
  for (size_t i = 0; i < input.findings.size(); ++i)
    findings.push_back(writer.finding(input.findings[i], prints.findings[i]));
  for (size_t i = 0; i < input.suppressed.size(); ++i)
    suppressed.push_back(writer.suppressed(input.suppressed[i], prints.suppressed[i]));
  for (const ReportNote& n : input.notes) notes.push_back(writer.note(n));
  for (const TruncatedRun& c : input.truncated_runs) truncated_runs.push_back({{"path", c.path}, {"why", c.why}});
  return dump({{"schema_version", kSchemaVersion},
               {"tool", {{"name", "ranklint"}, {"version", input.version}}},
               {"summary", summary_of(input)},
               {"findings", std::move(findings)},
               {"suppressed", std::move(suppressed)},
               {"refuted", refuted_findings(input, writer)},
               {"notes", std::move(notes)},
               {"unread", unread(input)},
               {"incomplete", incomplete(input)},
               {"cut_off", std::move(truncated_runs)}},
              2);
}

std::string render_json_lines(const ReportInput& input) {
  Writer writer(input);
  const Fingerprints prints = fingerprints(input.findings, input.suppressed);
  std::string out;
  for (size_t i = 0; i < input.findings.size(); ++i)
    out += dump(writer.finding(input.findings[i], prints.findings[i]), -1);
  return out;
}

}  // namespace ranklint::report
