// The report for people at a terminal. A finding is a header, its sentence, the source it is about, the lanes of
// its witness and the way out; blank lines stand between parts that the eye should not run together.
#include <algorithm>

#include "app/report/excerpt.h"
#include "app/report/formats/formats.h"
#include "app/report/lanes.h"
#include "app/report/summary.h"
#include "app/report/unicode.h"

namespace ranklint::report {

namespace {

constexpr unsigned kIndent = 2;
constexpr unsigned kNarrowest = 40;
constexpr unsigned kWidest = 160;       // lines of text longer than this are hard to read
constexpr size_t kMostMarksInFile = 6;  // more would bury the finding

// "error RL101 rank-guarded-collective  train/wan.py:359:27  (likely)"
Line header(const Finding& finding, Sources& sources) {
  const Style style = style_of(finding.severity);
  Line line{{std::string(word(finding.severity)) + " " + printable(finding.code), style},
            {" " + printable(finding.rule), Style::Strong},
            {"  " + sources.place(finding.primary)}};
  if (finding.confidence != Confidence::Certain)
    line.push_back({"  (" + std::string(word(finding.confidence)) + ")", Style::Dim});
  return line;
}

bool is_shown_in_lanes(const Finding& finding, const Location& location) {
  for (const WitnessLane& lane : finding.witness.lanes)
    for (const WitnessStep& step : lane.steps)
      if (step.location.path == location.path && step.location.range.line == location.range.line) return true;
  return false;
}

// The related places that get an excerpt: those in the finding's file, which stand with it, and those elsewhere
// that no lane mentions.
struct Shown {
  std::vector<const RelatedLocation*> here;
  std::vector<const RelatedLocation*> elsewhere;
};

Shown shown_of(const Finding& finding) {
  Shown out;
  for (const RelatedLocation& related : finding.related) {
    if (!related.location.range.known()) continue;
    const bool here = related.location.path == finding.primary.path;
    if (here && out.here.size() < kMostMarksInFile && related.location.range != finding.primary.range)
      out.here.push_back(&related);
    if (!here && !is_shown_in_lanes(finding, related.location)) out.elsewhere.push_back(&related);
  }
  return out;
}

// One width for all excerpts of a finding, so that their bars stand below each other.
unsigned gutter_of(const Finding& finding, const Shown& shown) {
  uint32_t last = finding.primary.range.line;
  for (const auto* part : {&shown.here, &shown.elsewhere})
    for (const RelatedLocation* related : *part) last = std::max(last, related->location.range.line);
  return gutter_width(last);
}

// What is left of the excerpt when the file is gone.
Lines places_only(const std::vector<const RelatedLocation*>& related, Sources& sources, unsigned width) {
  Lines lines;
  for (const RelatedLocation* r : related) {
    Line line = sentence(r->message);
    line.insert(line.begin(), {sources.place(r->location) + ": ", Style::Dim});
    append(lines, wrapped(line, width, kIndent));
  }
  return lines;
}

class FullReport {
 public:
  explicit FullReport(const ReportInput& input)
      : sources_(input.source), width_(std::clamp(input.width, kNarrowest, kWidest)), inner_(width_ - kIndent) {}

  void add(const Finding& finding) {
    lines_.push_back(header(finding, sources_));
    append(lines_, wrapped(sentence(finding.message), inner_), kIndent);
    add_source(finding);
    add_lanes(finding);
    add_verdict(finding);
    add_ways_out(finding);
    lines_.emplace_back();
  }

  void add(const ReportNote& note) {
    Line line{{std::string(word(note.severity)) + " " + printable(note.code), style_of(note.severity)},
              {" " + printable(note.rule), Style::Strong},
              {"  " + sources_.place(note.location)}};
    lines_.push_back(std::move(line));
    append(lines_, wrapped(sentence(note.message), inner_), kIndent);
    lines_.emplace_back();
  }

  void add(const Lines& lines) { append(lines_, lines); }
  std::string paint(bool color) const { return report::paint(lines_, color); }

 private:
  void add_source(const Finding& finding) {
    const Shown shown = shown_of(finding);
    const unsigned gutter = gutter_of(finding, shown);
    std::vector<Mark> marks{{finding.primary.range, "", '^', style_of(finding.severity)}};
    for (const RelatedLocation* related : shown.here) marks.push_back({related->location.range, related->message});
    const SourceText& file = sources_.file(finding.primary.path);
    add_part(file.has_line(finding.primary.range.line) ? excerpt(file, std::move(marks), gutter, inner_)
                                                       : places_only(shown.here, sources_, inner_));
    for (const RelatedLocation* related : shown.elsewhere) add_elsewhere(*related, gutter);
  }

  void add_elsewhere(const RelatedLocation& related, unsigned gutter) {
    const Lines code =
        excerpt(sources_.file(related.location.path), {{related.location.range, related.message}}, gutter, inner_);
    if (code.empty()) return append(lines_, places_only({&related}, sources_, inner_), kIndent);
    append(lines_, {{{std::string(gutter, ' ') + "in " + sources_.place(related.location), Style::Dim}}}, kIndent);
    append(lines_, code, kIndent);
  }

  void add_lanes(const Finding& finding) {
    constexpr unsigned kLanesIndent = 4;
    add_part(lanes(finding.witness, width_ - kLanesIndent, style_of(finding.severity)), kLanesIndent);
  }

  void add_verdict(const Finding& finding) {
    if (!finding.verdict) return;
    const bool confirmed = finding.verdict->kind == Verdict::Kind::Confirmed;
    Lines lines = labelled(word(finding.verdict->kind), confirmed ? style_of(finding.severity) : Style::Info,
                           finding.verdict->reason);
    for (const std::string& rank : finding.verdict->ranks) append(lines, wrapped(sentence(rank), inner_ - 2, 2), 2);
    add_part(lines);
  }

  void add_ways_out(const Finding& finding) {
    Lines lines;
    if (const std::string why = reasons_of(finding); !why.empty())
      append(lines, labelled(word(finding.confidence), Style::Info, why));
    std::string assumptions;
    for (const std::string& assumption : finding.witness.assumptions)
      assumptions += (assumptions.empty() ? "" : "; ") + assumption;
    if (!assumptions.empty()) append(lines, labelled("assuming", Style::Info, assumptions));
    if (!finding.help.empty()) append(lines, labelled("help", Style::Help, finding.help));
    add_part(lines);
  }

  // Each with its place, unless the finding shows that anyway.
  std::string reasons_of(const Finding& finding) {
    std::string text;
    const auto add = [&](std::string_view sentence, const Location& at) {
      text += (text.empty() ? "" : "; ") + std::string(sentence);
      if (at.range.known() && !is_shown(finding, at)) text += " (" + sources_.place(at) + ")";
    };
    for (const FindingDoubt& doubt : finding.doubts) add(info_of(doubt.reason).sentence, doubt.place);
    for (const FindingAssumption& rests : finding.evidence) add(sentence_of(rests.assumption), rests.place);
    return text;
  }

  static bool is_shown(const Finding& finding, const Location& at) {
    const auto is_there = [&](const Location& other) {
      return other.path == at.path && other.range.line == at.range.line;
    };
    return is_there(finding.primary) || is_shown_in_lanes(finding, at) ||
           std::ranges::any_of(finding.related, is_there, &RelatedLocation::location);
  }

  Lines labelled(std::string_view label, Style style, const std::string& text) const {
    const unsigned hanging = static_cast<unsigned>(label.size()) + 2;
    Line line{{std::string(label) + ":", style}, {" "}};
    const Line words = sentence(text);
    line.insert(line.end(), words.begin(), words.end());
    return wrapped(line, inner_, hanging);
  }

  void add_part(const Lines& part, unsigned indent = kIndent) {
    if (part.empty()) return;
    lines_.emplace_back();
    append(lines_, part, indent);
  }

  Sources sources_;
  unsigned width_;
  unsigned inner_;
  Lines lines_;
};

}  // namespace

std::string render_full(const ReportInput& input) {
  FullReport report(input);
  for (const Finding& finding : input.findings) report.add(finding);
  for (const ReportNote& note : input.notes) report.add(note);
  report.add(summary(input));
  return report.paint(input.color);
}

}  // namespace ranklint::report
