#include "app/report/text_layout.h"

#include <algorithm>

#include "app/report/unicode.h"

namespace ranklint::report {

Style style_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return Style::Error;
    case Severity::Warning: return Style::Warning;
    case Severity::Info: return Style::Info;
  }
  return Style::Plain;
}

unsigned width_of(const Line& line) {
  unsigned width = 0;
  for (const Span& span : line) width += display_width(span.text);
  return width;
}

Line padded(Line line, unsigned width) {
  if (const unsigned has = width_of(line); has < width) line.push_back({std::string(width - has, ' ')});
  return line;
}

Line sentence(std::string_view text, Style style) {
  Line line;
  const std::string clean = printable(text);
  std::string_view rest = clean;
  while (!rest.empty()) {
    const size_t open = rest.find('`');
    const size_t close = open == rest.npos ? rest.npos : rest.find('`', open + 1);
    if (close == rest.npos) {
      line.push_back({std::string(rest), style});
      break;
    }
    if (open > 0) line.push_back({std::string(rest.substr(0, open)), style});
    line.push_back({std::string(rest.substr(open, close - open + 1)), Style::Code});
    rest.remove_prefix(close + 1);
  }
  return line;
}

// -- wrapping ------------------------------------------------------------------------------------------------

namespace {

// A word and the style of each of its pieces; a word may change its style inside: "`sp`,".
struct Word {
  Line pieces;
  unsigned width = 0;
  Style space = Style::Plain;  // of the space before it
};

std::vector<Word> words_of(const Line& line) {
  std::vector<Word> words;
  bool inside = false;
  for (const Span& span : line) {
    std::string_view rest = span.text;
    while (!rest.empty()) {
      const size_t length = std::min(rest.find(' '), rest.size());
      if (length == 0) {
        inside = false;
        rest.remove_prefix(1);
        continue;
      }
      if (!inside) words.push_back({{}, 0, span.style});
      inside = true;
      words.back().pieces.push_back({std::string(rest.substr(0, length)), span.style});
      words.back().width += display_width(rest.substr(0, length));
      rest.remove_prefix(length);
    }
  }
  return words;
}

class Wrapper {
 public:
  Wrapper(unsigned width, unsigned hanging) : width_(std::max(width, 8u)), hanging_(std::min(hanging, width_ / 2)) {}

  void add(const Word& word) {
    const bool first = used_ == start_;
    if (!first && used_ + 1 + word.width > width_) break_line();
    if (used_ != start_) put(" ", 1, word.space);
    for (const Span& piece : word.pieces) add_piece(piece);
  }

  Lines take() { return std::move(lines_); }

 private:
  // Cuts a piece that is wider than the rest of the line; for words that fit this is one step.
  void add_piece(const Span& piece) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      size_t bytes = 0;
      unsigned columns = 0;
      while (bytes < rest.size()) {
        const Character c = first_character(rest.substr(bytes));
        if (used_ + columns + display_width(c.code) > width_) break;
        columns += display_width(c.code);
        bytes += c.bytes;
      }
      put(rest.substr(0, bytes), columns, piece.style);
      rest.remove_prefix(bytes);
      if (!rest.empty()) break_line();
    }
  }

  void put(std::string_view text, unsigned columns, Style style) {
    used_ += columns;
    Line& line = lines_.back();
    if (!line.empty() && line.back().style == style)
      line.back().text += text;
    else if (!text.empty())
      line.push_back({std::string(text), style});
  }

  void break_line() {
    lines_.emplace_back();
    if (hanging_ > 0) lines_.back().push_back({std::string(hanging_, ' ')});
    start_ = used_ = hanging_;
  }

  unsigned width_;
  unsigned hanging_;
  unsigned start_ = 0;  // columns used by the indentation of this line
  unsigned used_ = 0;
  Lines lines_ = Lines(1);
};

}  // namespace

Lines wrapped(const Line& line, unsigned width, unsigned hanging) {
  Wrapper wrapper(width, hanging);
  for (const Word& word : words_of(line)) wrapper.add(word);
  return wrapper.take();
}

void append(Lines& to, const Lines& lines, unsigned indent) {
  for (const Line& line : lines) {
    to.emplace_back();
    if (indent > 0 && !line.empty()) to.back().push_back({std::string(indent, ' ')});
    to.back().insert(to.back().end(), line.begin(), line.end());
  }
}

// -- colour --------------------------------------------------------------------------------------------------

namespace {

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::Plain: return "";
    case Style::Strong: return "\033[1m";
    case Style::Dim: return "\033[2m";
    case Style::Gutter: return "\033[34m";
    case Style::Code: return "\033[1m";
    case Style::Guard: return "\033[36m";
    case Style::Help: return "\033[1;32m";
    case Style::Error: return "\033[1;31m";
    case Style::Warning: return "\033[1;33m";
    case Style::Info: return "\033[1;36m";
  }
  return "";
}

bool is_blank(std::string_view text) { return text.find_first_not_of(' ') == text.npos; }

void paint_span(const Span& span, bool color, std::string& out) {
  const std::string_view escape = color && !is_blank(span.text) ? escape_of(span.style) : "";
  out += escape;
  out += span.text;
  if (!escape.empty()) out += "\033[0m";
}

void paint_line(Line line, bool color, std::string& out) {
  while (!line.empty() && is_blank(line.back().text)) line.pop_back();
  if (!line.empty()) line.back().text.resize(line.back().text.find_last_not_of(' ') + 1);
  for (const Span& span : line) paint_span(span, color, out);
  out += '\n';
}

}  // namespace

std::string paint(const Lines& lines, bool color) {
  std::string out;
  for (const Line& line : lines) paint_line(line, color, out);
  return out;
}

}  // namespace ranklint::report
