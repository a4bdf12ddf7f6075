// GitHub's workflow commands: each line becomes an annotation of the pull request that the job runs for.
//
//     ::error file=a.py,line=3,endLine=3,col=5,endColumn=9,title=RL101 rank-guarded-collective::message
#include "app/report/formats/formats.h"
#include "app/report/source_text.h"
#include "app/report/unchecked.h"
#include "app/report/unicode.h"

namespace ranklint::report {

namespace {

std::string_view command_of(Severity severity) {
  switch (severity) {
    case Severity::Info: return "notice";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "notice";
}

// What would end a command or a property is written as %XX, as the runner reads it back.
std::string escaped(std::string_view text, std::string_view special) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (special.find(c) == special.npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

// Line feeds stay; other controls would steer the terminal of a reader of the job's log.
std::string body(std::string_view text) {
  std::string out;
  for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    out += printable(text.substr(0, end)) + '\n';
    text.remove_prefix(end + 1);
  }
  return escaped(out + printable(text), "%\r\n");
}

std::string property(std::string_view text) { return escaped(text, "%\r\n:,"); }

// Columns only where the range is within one line: the runner takes no others.
std::string place(const Location& location, Sources& sources) {
  std::string out = " file=" + property(location.path);
  const SourceRange range = sources.in_unit(location, ColumnUnit::Utf16);
  if (!range.known()) return out;
  out += ",line=" + std::to_string(range.line);
  if (range.end_line != 0) out += ",endLine=" + std::to_string(range.end_line);
  if (range.end_line > range.line) return out;
  out += ",col=" + std::to_string(range.column);
  if (range.end_column != 0) out += ",endColumn=" + std::to_string(range.end_column);
  return out;
}

std::string command(Severity severity, const std::string& at, const std::string& title, const std::string& text) {
  return "::" + std::string(command_of(severity)) + at + ",title=" + property(title) + "::" + body(text) + "\n";
}

std::string text_of(const Finding& finding) {
  std::string text = finding.message;
  for (const WitnessLane& lane : finding.witness.lanes)
    if (!lane.end.empty()) text += "\n" + lane.ranks + ": " + lane.end;
  if (!finding.help.empty()) text += "\nhelp: " + finding.help;
  return text;
}

}  // namespace

std::string render_github(const ReportInput& input) {
  Sources sources(input.source);
  std::string out;
  for (const Finding& f : input.findings)
    out += command(f.severity, place(f.primary, sources), f.code + " " + f.rule, text_of(f));
  for (const ReportNote& n : input.notes)
    out += command(n.severity, place(n.location, sources), n.code + " " + n.rule, n.message);
  if (const std::string text = unchecked_sentence(input); !text.empty())
    out += "::" + std::string(input.failed ? "error" : "warning") + " title=ranklint::" + body(text) + "\n";
  return out;
}

}  // namespace ranklint::report
