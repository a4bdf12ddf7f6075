// Reads the words of one line of the text form.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/source_range.h"

namespace ranklint::ir {

// A line without its comment and without the white space at its ends.
struct Line {
  std::string_view text;
  uint32_t number = 0;        // from 1
  uint32_t first_column = 1;  // of text[0]
};

// All lines that hold more than white space and comments. They point into `text`.
std::vector<Line> split_lines(std::string_view text);

// Every `accept` skips blanks, and moves past what it found or else stays where it was.
class Scanner {
 public:
  explicit Scanner(const Line& line) : line_(line) {}

  size_t position() const { return position_; }
  void go_back(size_t position) { position_ = position; }
  uint32_t column() const { return line_.first_column + static_cast<uint32_t>(position_); }
  uint32_t line_number() const { return line_.number; }

  void skip_blanks();
  bool at_end();
  char peek(size_t ahead = 0) const;  // '\0' past the end
  char peek_after_blanks();
  bool accept(std::string_view mark);  // punctuation
  bool accept_adjacent(std::string_view mark);
  bool accept_word(std::string_view word);  // no name character follows
  bool at_word(std::string_view word);
  bool at_range();  // `@` and a digit: a location, not an operator

  std::optional<std::string> name();  // plain or in backticks
  std::optional<std::string> path();  // dotted, or in backticks
  std::optional<std::string> quoted(char quote);
  std::string number();  // the longest run of what a number may hold; may be empty
  std::optional<uint32_t> natural();
  std::optional<SourceRange> range();

 private:
  std::string_view rest() const { return line_.text.substr(position_); }
  std::string_view plain_word();
  std::string_view bracket_part();

  Line line_;
  size_t position_ = 0;
};

}  // namespace ranklint::ir
