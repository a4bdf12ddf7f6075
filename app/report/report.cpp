#include "app/report/report.h"

#include <array>
#include <utility>

#include "app/report/formats.h"

namespace ranklint {

namespace {

struct Format {
  OutputFormat format;
  std::string_view name;
  std::string (*render)(const ReportInput& input);
};

constexpr std::array kFormats = std::to_array<Format>({
    {OutputFormat::Full, "full", report::render_full},
    {OutputFormat::Concise, "concise", report::render_concise},
    {OutputFormat::Json, "json", report::render_json},
    {OutputFormat::JsonLines, "json-lines", report::render_json_lines},
    {OutputFormat::Sarif, "sarif", report::render_sarif},
    {OutputFormat::Github, "github", report::render_github},
});

constexpr bool follows_the_enum() {
  for (size_t i = 0; i < kFormats.size(); ++i)
    if (static_cast<size_t>(kFormats[i].format) != i) return false;
  return true;
}
static_assert(follows_the_enum());

}  // namespace

std::string_view name_of(OutputFormat format) { return kFormats[static_cast<size_t>(format)].name; }

std::optional<OutputFormat> output_format_of(std::string_view name) {
  for (const Format& format : kFormats)
    if (format.name == name) return format.format;
  return std::nullopt;
}

std::string render(OutputFormat format, const ReportInput& input) {
  return kFormats[static_cast<size_t>(format)].render(input);
}

namespace report {

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::Info: return "info";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "";
}

std::string_view word(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::Confirmed: return "confirmed";
    case Verdict::Kind::Refuted: return "refuted";
    case Verdict::Kind::NotReplayable: return "not replayable";
  }
  return "";
}

std::string_view word(Confidence confidence) {
  switch (confidence) {
    case Confidence::Possible: return "possible";
    case Confidence::Likely: return "likely";
    case Confidence::High: return "high";
    case Confidence::Certain: return "certain";
  }
  return "";
}

}  // namespace report

}  // namespace ranklint
