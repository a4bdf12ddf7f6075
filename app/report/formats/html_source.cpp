// The source beside a picture. Shown are the lines that the finding names, each with a little of what surrounds it;
// a dot in the colour of its lane shows which ranks come through a line, and a red line is one where they wait.
#include <algorithm>
#include <map>
#include <set>

#include "app/report/formats/html.h"
#include "app/report/markup.h"
#include "app/report/unicode.h"

namespace ranklint::report::html {

namespace {

constexpr uint32_t kAround = 2;       // lines of context
constexpr size_t kLongestLine = 400;  // bytes of a line that are shown
constexpr size_t kLaneColors = 4;

// Later ones paint over earlier ones.
enum class Mark { Related, Guard, Primary, Waiting };

struct MarkedRange {
  Mark mark = Mark::Related;
  SourceRange range;
};

struct MarkedLine {
  std::vector<MarkedRange> ranges;
  std::set<size_t> lanes;  // that come through
  std::vector<std::string> notes;
  bool waits = false;
};

using MarkedLines = std::map<uint32_t, MarkedLine>;  // by line

std::string_view class_of(Mark mark) {
  switch (mark) {
    case Mark::Related: return "rel";
    case Mark::Guard: return "guard";
    case Mark::Primary: return "prim";
    case Mark::Waiting: return "wait";
  }
  return "";
}

class Marker {
 public:
  explicit Marker(const Finding& finding) : finding_(finding) {}

  MarkedLines lines_of(const std::string& path) {
    MarkedLines lines;
    const auto add = [&](const Location& at, Mark mark) -> MarkedLine* {
      if (at.path != path || !at.range.known()) return nullptr;
      MarkedLine& line = lines[at.range.line];
      line.ranges.push_back({mark, at.range});
      return &line;
    };
    for (const RelatedLocation& related : finding_.related)
      if (MarkedLine* line = add(related.location, Mark::Related); line != nullptr && !related.message.empty())
        add_note(*line, related.message);
    for (size_t i = 0; i < finding_.witness.lanes.size(); ++i) add_lane(i, add);
    add(finding_.primary, Mark::Primary);
    return lines;
  }

 private:
  template <typename Add>
  void add_lane(size_t index, const Add& add) {
    const WitnessLane& lane = finding_.witness.lanes[index];
    for (const WitnessStep& step : lane.steps) {
      const bool waits = &step == &lane.steps.back() && lane.end.starts_with("wait");
      const Mark mark = waits ? Mark::Waiting : step.kind == WitnessStep::Kind::Branch ? Mark::Guard : Mark::Related;
      MarkedLine* line = add(step.location, mark);
      if (line == nullptr) continue;
      line->lanes.insert(index);
      line->waits |= waits;
      if (waits) add_note(*line, lane.ranks + ": " + lane.end);
    }
  }

  static void add_note(MarkedLine& line, const std::string& note) {
    if (std::find(line.notes.begin(), line.notes.end(), note) == line.notes.end()) line.notes.push_back(note);
  }

  const Finding& finding_;
};

// Bytes [from, to) of a line, none in two pieces.
struct Piece {
  size_t from = 0;
  size_t to = 0;
  std::string_view look;  // empty: plain
};

Piece piece_of(const MarkedRange& marked, std::string_view line) {
  const SourceRange& range = marked.range;
  const size_t from = std::min<size_t>(range.column == 0 ? 0 : range.column - 1, line.size());
  size_t to = line.size();
  if (range.end_line == range.line)
    to = range.end_column > range.column ? std::min<size_t>(range.end_column - 1, line.size()) : from + 1;
  return {from, std::min(std::max(to, from), line.size()), class_of(marked.mark)};
}

// The strongest marks, those that no stronger one overlaps, by place.
std::vector<Piece> pieces_of(const MarkedLine& marked, std::string_view line) {
  std::vector<MarkedRange> ranges = marked.ranges;
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const MarkedRange& a, const MarkedRange& b) { return a.mark > b.mark; });
  std::vector<Piece> pieces;
  for (const MarkedRange& range : ranges) {
    const Piece piece = piece_of(range, line);
    const bool free = std::none_of(pieces.begin(), pieces.end(),
                                   [&](const Piece& p) { return p.from < piece.to && piece.from < p.to; });
    if (free && piece.from < piece.to) pieces.push_back(piece);
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.from < b.from; });
  return pieces;
}

// Where a character begins, at or after a byte.
size_t boundary(std::string_view line, size_t at) {
  while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80) ++at;
  return std::min(at, line.size());
}

std::string with_tabs(std::string_view text) {
  std::string out;
  for (const char c : text) c == '\t' ? out += "    " : out += c;
  return out;
}

std::string code_of(const MarkedLine* marked, std::string_view line) {
  std::vector<Piece> pieces;
  if (marked != nullptr) pieces = pieces_of(*marked, line);
  size_t from = 0;
  if (line.size() > kLongestLine && !pieces.empty() && pieces.front().from > kLongestLine / 2)
    from = boundary(line, pieces.front().from - kLongestLine / 4);
  const size_t to = boundary(line, std::min(line.size(), from + kLongestLine));

  std::string out = from > 0 ? "…" : "";
  const auto put = [&](size_t begin, size_t end) {
    begin = std::clamp(begin, from, to);
    end = std::clamp(end, from, to);
    return markup(with_tabs(line.substr(begin, end - begin)));
  };
  size_t at = from;
  for (const Piece& piece : pieces) {
    if (piece.from >= to) break;
    out += put(at, piece.from) + "<mark class=\"" + std::string(piece.look) + "\">" + put(piece.from, piece.to) +
           "</mark>";
    at = piece.to;
  }
  return out + put(at, to) + (to < line.size() ? "…" : "");
}

std::string row(const std::string& id, uint32_t number, const MarkedLine* marked, std::string_view line) {
  const bool waits = marked != nullptr && marked->waits;
  std::string out = "<div class=\"sl" + std::string(marked != nullptr ? " on" : "") + (waits ? " wl" : "") + "\"";
  if (marked != nullptr) out += " id=\"" + id + "\"";
  out += "><i>" + std::to_string(number) + "</i><b>";
  if (marked != nullptr)
    for (const size_t lane : marked->lanes) out += "<u class=\"l" + std::to_string(lane % kLaneColors) + "\"></u>";
  out += "</b><code>" + code_of(marked, line) + "</code>";
  if (marked != nullptr)
    for (const std::string& note : marked->notes) out += "<em>" + markup_sentence(note) + "</em>";
  return out + "</div>";
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == line.npos; }

std::string file_block(const std::string& path, const MarkedLines& marked, const SourceText& text, size_t finding,
                       size_t file) {
  std::string rows;
  uint32_t shown_to = 0;  // the last line that is shown
  for (const auto& [number, line] : marked) {
    if (!text.has_line(number)) continue;
    uint32_t from = std::max(number > kAround ? number - kAround : 1, shown_to + 1);
    if (from == shown_to + 2) from = shown_to + 1;  // a gap of one line says less than the line
    if (shown_to > 0 && from > shown_to + 1) rows += "<div class=\"sl gap\"></div>";
    const auto next = marked.upper_bound(number);
    uint32_t to =
        std::min({number + kAround, text.line_count(), next == marked.end() ? number + kAround : next->first - 1});
    while (from < number && is_blank(text.line(from)) && from != shown_to + 1) ++from;
    while (to > number && is_blank(text.line(to))) --to;
    for (uint32_t i = from; i <= to; ++i) {
      const auto found = marked.find(i);
      rows += row(line_id(finding, file, i), i, found == marked.end() ? nullptr : &found->second, text.line(i));
    }
    shown_to = std::max(shown_to, to);
  }
  if (rows.empty()) return {};
  return "<figure class=\"src\"><figcaption>" + markup(path) + "</figcaption><div class=\"code\" tabindex=\"0\"><div>" +
         rows + "</div></div></figure>";
}

}  // namespace

FileNumbers::FileNumbers(const Finding& finding) {
  const auto add = [&](const Location& at) {
    if (!at.path.empty() && std::find(paths_.begin(), paths_.end(), at.path) == paths_.end()) paths_.push_back(at.path);
  };
  add(finding.primary);
  for (const WitnessLane& lane : finding.witness.lanes)
    for (const WitnessStep& step : lane.steps) add(step.location);
  for (const RelatedLocation& related : finding.related) add(related.location);
}

size_t FileNumbers::of(const std::string& path) const {
  return static_cast<size_t>(std::find(paths_.begin(), paths_.end(), path) - paths_.begin());
}

std::string line_id(size_t finding, size_t file, uint32_t line) {
  return "s" + std::to_string(finding) + "-" + std::to_string(file) + "-" + std::to_string(line);
}

std::string source_of(const Finding& finding, size_t number, Sources& sources) {
  const FileNumbers files(finding);
  Marker marker(finding);
  std::string out;
  for (size_t i = 0; i < files.paths().size(); ++i) {
    const std::string& path = files.paths()[i];
    out += file_block(path, marker.lines_of(path), sources.file(path), number, i);
  }
  return out;
}

}  // namespace ranklint::report::html
