// Text on its way to a terminal: pieces with a style, laid out by their width as shown. Colour comes last, so
// no layout ever counts an escape sequence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/finding.h"

namespace ranklint::report {

enum class Style { Plain, Strong, Dim, Gutter, Code, Guard, Help, Error, Warning, Info };

Style style_of(Severity severity);

struct Span {
  std::string text;  // printable, no line feed
  Style style = Style::Plain;
  friend bool operator==(const Span&, const Span&) = default;
};

using Line = std::vector<Span>;
using Lines = std::vector<Line>;

unsigned width_of(const Line& line);

// In calls: what a rank does deeper than that is not indented further.
inline constexpr unsigned kDeepestIndent = 4;

// Fills up with spaces.
Line padded(Line line, unsigned width);

// A sentence as a message holds it: what stands in backticks gets the style of code. Made printable.
Line sentence(std::string_view text, Style style = Style::Plain);

// Breaks at spaces, and inside a word only where the word alone is too wide. Lines after the first start with
// `hanging` spaces. Never empty.
Lines wrapped(const Line& line, unsigned width, unsigned hanging = 0);

// Appends the lines, each indented by `indent` spaces.
void append(Lines& to, const Lines& lines, unsigned indent = 0);

// The bytes, with escape sequences when there is colour. Spaces at the end of a line are dropped.
std::string paint(const Lines& lines, bool color);

}  // namespace ranklint::report
