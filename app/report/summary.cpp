#include "app/report/summary.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analyzer/base/joined.h"
#include "app/report/unchecked.h"
#include "app/report/unicode.h"

namespace ranklint::report {

namespace {

size_t count_of(const ReportInput& input, Severity severity) {
  return std::count_if(input.findings.begin(), input.findings.end(),
                       [&](const Finding& finding) { return finding.severity == severity; });
}

std::string by_severity(const ReportInput& input) {
  std::vector<std::string> parts;
  if (const size_t n = count_of(input, Severity::Error)) parts.push_back(counted(n, "error"));
  if (const size_t n = count_of(input, Severity::Warning)) parts.push_back(counted(n, "warning"));
  if (const size_t n = count_of(input, Severity::Info)) parts.push_back(std::to_string(n) + " info");
  return " (" + joined(parts, ", ") + ")";
}

std::string seconds(std::chrono::milliseconds time) {
  if (time.count() < 1000) return std::to_string(time.count()) + " ms";
  const auto tenths = time.count() / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

Line verdict(const ReportInput& input) {
  const bool none = input.findings.empty();
  const bool worst = count_of(input, Severity::Error) > 0;
  const std::string unchecked = unchecked_sentence(input);
  Line line;
  if (none) {
    const std::string text = clean_verdict(input);
    const size_t words = std::min(text.find(" in "), text.size());
    line.push_back({text.substr(0, words), unchecked.empty() ? Style::Help : Style::Warning});
    line.push_back({text.substr(words)});
  } else {
    line.push_back({"Found " + counted(input.findings.size(), "hazard"), worst ? Style::Error : Style::Warning});
    line.push_back({by_severity(input) + " in " + counted(input.counts.files, "file")});
  }
  if (input.elapsed) line.push_back({", " + seconds(*input.elapsed)});
  line.push_back({"."});
  if (!unchecked.empty()) line.push_back({" " + printable(unchecked), Style::Warning});
  if (!unchecked.empty() && !input.show_incomplete) {
    const Line way_out = sentence(" `--show-incomplete` lists them.");
    line.insert(line.end(), way_out.begin(), way_out.end());
  }
  const auto known = static_cast<size_t>(
      std::count_if(input.suppressed.begin(), input.suppressed.end(),
                    [](const SuppressedFinding& s) { return s.by == SuppressedFinding::By::Baseline; }));
  std::vector<std::string> parts;
  if (known < input.suppressed.size()) parts.push_back(std::to_string(input.suppressed.size() - known) + " suppressed");
  if (known > 0) parts.push_back(std::to_string(known) + " known");
  if (!parts.empty()) line.push_back({" " + joined(parts, ", ") + ".", Style::Dim});
  return line;
}

Line runs(const Verified& counts) {
  std::string text = "Run: " + std::to_string(counts.confirmed) + " confirmed, " +
                     std::to_string(counts.not_replayable) + " not replayable";
  if (!counts.refuted.empty()) text += ", " + std::to_string(counts.refuted.size()) + " refuted and withdrawn";
  return {{text + "."}};
}

// Most frequent first, equal ones by code.
Lines per_rule(const ReportInput& input) {
  std::map<std::pair<std::string, std::string>, size_t> counts;
  for (const Finding& finding : input.findings) ++counts[{finding.code, finding.rule}];
  using Entry = std::pair<std::pair<std::string, std::string>, size_t>;
  std::vector<Entry> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Entry& a, const Entry& b) { return std::tie(b.second, a.first) < std::tie(a.second, b.first); });

  Lines lines;
  for (const auto& [rule, n] : sorted) {
    const std::string number = std::to_string(n);
    const std::string fill(number.size() < 6 ? 6 - number.size() : 0, ' ');
    lines.push_back({{fill + number + "  "}, {printable(rule.first), Style::Strong}, {" " + printable(rule.second)}});
  }
  return lines;
}

// Not knowing is a figure, never silence.
std::vector<std::string> unknowns(const ReportCounts& counts) {
  std::vector<std::string> parts;
  if (counts.unresolved_calls) parts.push_back(counted(counts.unresolved_calls, "call") + " without a body or a model");
  if (counts.limited_functions)
    parts.push_back(counted(counts.limited_functions, "function") + " too large to follow to the end");
  if (counts.unknown_constructs) parts.push_back(counted(counts.unknown_constructs, "construct") + " not understood");
  return parts;
}

// As editors and grep know places.
Lines lines_of(const std::vector<UncheckedPlace>& places) {
  Lines lines;
  for (const auto& [place, text] : places) {
    lines.push_back({{printable(place)}, {": "}});
    const Line words = sentence(text);
    lines.back().insert(lines.back().end(), words.begin(), words.end());
  }
  return lines;
}

}  // namespace

Lines summary(const ReportInput& input) {
  Lines lines;
  if (input.show_incomplete) append(lines, lines_of(unchecked_places(input)));
  if (input.statistics) append(lines, per_rule(input));
  lines.push_back(verdict(input));
  if (input.verified) lines.push_back(runs(*input.verified));
  if (!input.statistics) return lines;
  std::vector<std::string> parts = unknowns(input.counts);
  parts.insert(parts.begin(), counted(input.counts.functions, "function"));
  lines.push_back({{"Looked at " + joined(parts, ", ") + ".", Style::Dim}});
  return lines;
}

}  // namespace ranklint::report
