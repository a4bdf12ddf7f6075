#include "app/report/excerpt.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "app/report/unicode.h"

namespace ranklint::report {

namespace {

constexpr unsigned kTabStop = 4;
constexpr unsigned kLeastCodeWidth = 20;
constexpr uint32_t kGapShownWhole = 2;  // this many lines between two marks are shown rather than left out
constexpr std::string_view kCut = "...";

// One character of a line as shown.
struct Cell {
  std::string text;
  unsigned column;  // from 0, on the screen
  unsigned width;
  size_t byte;  // from 0, in the line
};

struct ShownLine {
  std::vector<Cell> cells;
  unsigned width = 0;
};

ShownLine shown(std::string_view line) {
  ShownLine out;
  for (size_t byte = 0; byte < line.size();) {
    const Character c = first_character(line.substr(byte));
    const bool tab = c.code == '\t';
    const unsigned width = tab ? kTabStop - out.width % kTabStop : display_width(c.code);
    out.cells.push_back(
        {tab ? std::string(width, ' ') : printable(c.code, line.substr(byte, c.bytes)), out.width, width, byte});
    out.width += width;
    byte += c.bytes;
  }
  return out;
}

// Where a byte of the line stands on the screen; past the line for one that lies past it.
unsigned column_of(const ShownLine& line, size_t byte) {
  const auto at = std::upper_bound(line.cells.begin(), line.cells.end(), byte,
                                   [](size_t value, const Cell& cell) { return value < cell.byte; });
  if (at == line.cells.begin()) return 0;
  const Cell& cell = *std::prev(at);
  const bool is_past = at == line.cells.end() && byte > cell.byte;
  return is_past ? line.width : cell.column;
}

// Columns [from, to) of the screen.
struct Columns {
  unsigned from = 0;
  unsigned to = 0;
};

// The columns a mark underlines in its first line: never none, never the spaces at the line's end.
Columns underlined(const SourceRange& range, std::string_view line, const ShownLine& cells) {
  const size_t last = line.find_last_not_of(" \t");
  const size_t trimmed = last == line.npos ? 0 : last + 1;
  const size_t begin = std::min<size_t>(range.column == 0 ? 0 : range.column - 1, trimmed);
  const bool ends_here = range.end_line == range.line && range.end_column > range.column;
  const bool goes_on = range.end_line > range.line;
  const size_t end = goes_on ? trimmed : ends_here ? std::min<size_t>(range.end_column - 1, trimmed) : begin + 1;
  Columns out{column_of(cells, begin), column_of(cells, end)};
  out.to = std::max(out.to, out.from + 1);
  return out;
}

// Which columns of a line too wide for the terminal are shown: those around the marks.
Columns window(const ShownLine& line, Columns focus, unsigned width) {
  if (line.width <= width) return {0, line.width};
  if (focus.to + kCut.size() <= width) return {0, width};
  const unsigned cut = static_cast<unsigned>(kCut.size());
  const unsigned spare = std::max(width, focus.to - focus.from + cut) - (focus.to - focus.from);
  const unsigned lead = std::min({std::max(width / 4, cut), std::max(spare - cut, cut), focus.from});
  const unsigned from = std::min(focus.from - lead, line.width - width);
  return {from, from + width};
}

// The shown part of the line, "..." in place of the first or last columns where something was cut.
std::string code_in(const ShownLine& line, Columns view) {
  const unsigned cut = static_cast<unsigned>(kCut.size());
  const bool cut_left = view.from > 0;
  const bool cut_right = view.to < line.width;
  const unsigned from = view.from + (cut_left ? cut : 0);
  const unsigned to = view.to - (cut_right ? cut : 0);
  std::string out = cut_left ? std::string(kCut) : "";
  unsigned column = from;
  for (const Cell& cell : line.cells) {
    if (cell.column < from || cell.column + cell.width > to) continue;
    out += std::string(cell.column - column, ' ') + cell.text;  // a gap where a wide character was cut in two
    column = cell.column + cell.width;
  }
  if (cut_right) out += std::string(to - column, ' ') + std::string(kCut);
  return out;
}

class Excerpt {
 public:
  Excerpt(const SourceText& file, unsigned gutter, unsigned width)
      : file_(file), gutter_(gutter), width_(std::max(width, gutter + 3 + kLeastCodeWidth) - gutter - 3) {}

  // Marks of one line, the leftmost first. Where they lie too far apart for one window the line comes again.
  void add(uint32_t number, std::span<const Mark> marks) {
    bridge_to(number);
    last_ = number;
    const std::string_view text = file_.line(number);
    const ShownLine cells = shown(text);
    while (!marks.empty()) {
      Columns focus = underlined(marks[0].range, text, cells);
      size_t n = 1;
      for (; n < marks.size(); ++n) {
        const Columns next = underlined(marks[n].range, text, cells);
        if (!fits(cells, {focus.from, std::max(focus.to, next.to)})) break;
        focus.to = std::max(focus.to, next.to);
      }
      const Columns view = window(cells, focus, width_);
      put(std::to_string(number), {{code_in(cells, view)}});
      for (const Mark& mark : marks.first(n)) underline(mark, underlined(mark.range, text, cells), view);
      marks = marks.subspan(n);
    }
  }

  Lines take() { return std::move(lines_); }

 private:
  bool fits(const ShownLine& line, Columns focus) const {
    const unsigned around = 2 * static_cast<unsigned>(kCut.size());
    return line.width <= width_ || focus.to - focus.from + around <= width_;
  }

  // What stands between the last line shown and this one.
  void bridge_to(uint32_t number) {
    if (last_ == 0) return;
    if (number - last_ - 1 > kGapShownWhole) return lines_.push_back({{"...", Style::Gutter}});
    for (uint32_t between = last_ + 1; between < number; ++between) {
      const ShownLine cells = shown(file_.line(between));
      put(std::to_string(between), {{code_in(cells, window(cells, {}, width_))}});
    }
  }

  void underline(const Mark& mark, Columns at, Columns view) {
    const unsigned from = std::clamp(at.from, view.from, view.to) - view.from;
    const unsigned to = std::max(std::clamp(at.to, view.from, std::max(view.to, at.to)) - view.from, from + 1);
    const unsigned end = std::min(to, std::max(width_, from + 1));
    Line line{{std::string(from, ' ')}, {std::string(end - from, mark.stroke), mark.style}};
    const Line label = sentence(mark.label, mark.style);
    if (label.empty()) return put("", line);
    if (end + 1 + width_of(label) <= width_) {
      line.push_back({" "});
      line.insert(line.end(), label.begin(), label.end());
      return put("", line);
    }
    put("", line);
    // The label does not fit beside its line: below it, as far right as leaves it room.
    const unsigned indent = std::min(from, width_ / 3);
    for (const Line& part : wrapped(label, width_ - indent)) {
      Line row{{std::string(indent, ' ')}};
      row.insert(row.end(), part.begin(), part.end());
      put("", row);
    }
  }

  void put(const std::string& number, const Line& code) {
    const std::string fill(gutter_ - std::min<size_t>(gutter_, number.size()), ' ');
    Line line{{fill + number + " | ", Style::Gutter}};
    line.insert(line.end(), code.begin(), code.end());
    lines_.push_back(std::move(line));
  }

  const SourceText& file_;
  unsigned gutter_;
  unsigned width_;  // of the code
  uint32_t last_ = 0;
  Lines lines_;
};

}  // namespace

unsigned gutter_width(uint32_t line) { return std::max<unsigned>(3, std::to_string(line).size()); }

Lines excerpt(const SourceText& file, std::vector<Mark> marks, unsigned gutter, unsigned width) {
  std::erase_if(marks, [&](const Mark& mark) { return !file.has_line(mark.range.line); });
  std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
    return std::tie(a.range, a.stroke, a.label) < std::tie(b.range, b.stroke, b.label);
  });
  Excerpt out(file, gutter, width);
  for (auto first = marks.begin(); first != marks.end();) {
    const auto end = std::find_if(first, marks.end(), [&](const Mark& m) { return m.range.line != first->range.line; });
    out.add(first->range.line, std::span(first, end));
    first = end;
  }
  return out.take();
}

}  // namespace ranklint::report
