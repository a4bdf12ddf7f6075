// One line a finding: `path:line:col: error RL101 rank-guarded-collective: message`. Editors and grep know it.
#include "app/report/formats/formats.h"
#include "app/report/source_text.h"
#include "app/report/summary.h"
#include "app/report/unicode.h"

namespace ranklint::report {

namespace {

Line line_of(const std::string& place, Severity severity, const std::string& code, const std::string& rule,
             const std::string& message) {
  Line line{{place + ": "},
            {std::string(word(severity)) + " " + printable(code), style_of(severity)},
            {" " + printable(rule), Style::Strong},
            {": "}};
  const Line words = sentence(message);
  line.insert(line.end(), words.begin(), words.end());
  return line;
}

}  // namespace

std::string render_concise(const ReportInput& input) {
  Sources sources(input.source);
  Lines lines;
  for (const Finding& f : input.findings) {
    lines.push_back(line_of(sources.place(f.primary), f.severity, f.code, f.rule, f.message));
    if (f.verdict) lines.back().push_back({" [" + std::string(word(f.verdict->kind)) + "]", Style::Dim});
  }
  for (const ReportNote& n : input.notes)
    lines.push_back(line_of(sources.place(n.location), n.severity, n.code, n.rule, n.message));
  append(lines, summary(input));
  return paint(lines, input.color);
}

}  // namespace ranklint::report
