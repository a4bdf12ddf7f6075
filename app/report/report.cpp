#include "app/report/report.h"

#include <array>

#include "analyzer/base/confidence_words.h"
#include "app/report/format_names.h"
#include "app/report/formats/formats.h"
#include "rules/severity_words.h"

namespace ranklint {

namespace {

using Renderer = std::string (*)(const ReportInput& input);

// In the order of the enumeration.
constexpr std::array kRenderers = std::to_array<Renderer>({
    report::render_full,
    report::render_concise,
    report::render_json,
    report::render_json_lines,
    report::render_sarif,
    report::render_github,
    report::render_html,
    report::render_svg,
    report::render_junit,
    report::render_gitlab,
    report::render_rdjson,
    report::render_checkstyle,
});

}  // namespace

std::string_view name_of(OutputFormat format) {
  for (const auto& [name, candidate] : kFormatNames)
    if (candidate == format) return name;
  return "";
}

std::optional<OutputFormat> output_format_of(std::string_view name) { return meaning_of(kFormatNames, name); }

std::string render(OutputFormat format, const ReportInput& input) {
  return kRenderers[static_cast<size_t>(format)](input);
}

namespace report {

std::string_view word(Severity severity) { return text_of(kSeverityWords, severity); }

std::string_view word(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::Confirmed: return "confirmed";
    case Verdict::Kind::Refuted: return "refuted";
    case Verdict::Kind::NotReplayable: return "not replayable";
  }
  return "";
}

std::string_view word(WitnessStep::Kind kind) {
  switch (kind) {
    case WitnessStep::Kind::Branch: return "branch";
    case WitnessStep::Kind::Call: return "call";
    case WitnessStep::Kind::Collective: return "collective";
    case WitnessStep::Kind::Exit: return "exit";
  }
  return "";
}

std::string_view word(Confidence confidence) { return text_of(kConfidenceWords, confidence); }

std::string why_so_sure(const Finding& finding) {
  std::string text;
  for (const FindingDoubt& doubt : finding.doubts)
    text += (text.empty() ? "" : "; ") + std::string(info_of(doubt.reason).sentence);
  for (const FindingAssumption& rests : finding.evidence)
    text += (text.empty() ? "" : "; ") + sentence_of(rests.assumption);
  return text;
}

}  // namespace report

}  // namespace ranklint
