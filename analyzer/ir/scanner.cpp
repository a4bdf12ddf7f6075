#include "analyzer/ir/scanner.h"

#include <algorithm>

#include "analyzer/ir/words.h"

namespace ranklint::ir {

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The length of the line before a `;` that stands outside of quotes.
static size_t comment_start(std::string_view line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0) {
      if (c == ';') return i;
      if (c == '"' || c == '`') quote = c;
    } else if (c == '\\') {
      ++i;
    } else if (c == quote) {
      quote = 0;
    }
  }
  return line.size();
}

std::vector<Line> split_lines(std::string_view text) {
  std::vector<Line> lines;
  for (uint32_t number = 1; !text.empty(); ++number) {
    const size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    line = line.substr(0, comment_start(line));
    size_t first = 0;
    while (first < line.size() && is_blank(line[first])) ++first;
    while (line.size() > first && is_blank(line.back())) line.remove_suffix(1);
    if (first < line.size())
      lines.push_back({.text = line.substr(first), .number = number, .first_column = static_cast<uint32_t>(first + 1)});
  }
  return lines;
}

void Scanner::skip_blanks() {
  while (position_ < line_.text.size() && is_blank(line_.text[position_])) ++position_;
}

bool Scanner::at_end() {
  skip_blanks();
  return position_ >= line_.text.size();
}

char Scanner::peek(size_t ahead) const {
  return position_ + ahead < line_.text.size() ? line_.text[position_ + ahead] : '\0';
}

char Scanner::peek_after_blanks() {
  skip_blanks();
  return peek();
}

bool Scanner::accept_adjacent(std::string_view mark) {
  if (!rest().starts_with(mark)) return false;
  position_ += mark.size();
  return true;
}

bool Scanner::accept(std::string_view mark) {
  skip_blanks();
  return accept_adjacent(mark);
}

bool Scanner::at_word(std::string_view word) {
  skip_blanks();
  return rest().starts_with(word) && !is_name_char(peek(word.size()));
}

bool Scanner::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  position_ += word.size();
  return true;
}

bool Scanner::at_range() {
  skip_blanks();
  return peek() == '@' && is_digit(peek(1));
}

std::string_view Scanner::plain_word() {
  if (!is_name_start(peek())) return {};
  size_t length = 1;
  while (is_name_char(peek(length))) ++length;
  return rest().substr(0, length);
}

std::optional<std::string> Scanner::name() {
  skip_blanks();
  if (peek() == '`') return quoted('`');
  const std::string_view word = plain_word();
  if (word.empty()) return std::nullopt;
  position_ += word.size();
  return std::string(word);
}

// "<lambda>" and the like.
std::string_view Scanner::bracket_part() {
  if (peek() != '<') return {};
  const size_t end = rest().find('>');
  if (end == std::string_view::npos || !is_plain_path(rest().substr(0, end + 1))) return {};
  return rest().substr(0, end + 1);
}

std::optional<std::string> Scanner::path() {
  skip_blanks();
  if (peek() == '`') return quoted('`');
  std::string out;
  while (true) {
    const std::string_view part = peek() == '<' ? bracket_part() : plain_word();
    if (part.empty()) return std::nullopt;
    out += part;
    position_ += part.size();
    if (peek() != '.') return out;
    out += '.';
    ++position_;
  }
}

static int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The text between quotes. Unknown escapes and a missing end are no text.
std::optional<std::string> Scanner::quoted(char quote) {
  skip_blanks();
  if (peek() != quote) return std::nullopt;
  std::string out;
  for (size_t i = position_ + 1; i < line_.text.size(); ++i) {
    const char c = line_.text[i];
    if (c == quote) {
      position_ = i + 1;
      return out;
    }
    if (c != '\\') {
      out += c;
      continue;
    }
    const std::string_view escape = line_.text.substr(i + 1);
    if (escape.empty()) return std::nullopt;
    if (escape[0] == 'x') {
      const int high = escape.size() > 2 ? hex_value(escape[1]) : -1;
      const int low = escape.size() > 2 ? hex_value(escape[2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 3;
      continue;
    }
    if (escape[0] != 'n' && escape[0] != 't' && escape[0] != '\\' && escape[0] != quote) return std::nullopt;
    out += escape[0] == 'n' ? '\n' : escape[0] == 't' ? '\t' : escape[0];
    ++i;
  }
  return std::nullopt;
}

std::string Scanner::number() {
  skip_blanks();
  size_t length = 0;
  const auto part_of_number = [&] {
    const char c = peek(length);
    const bool exponent = length > 0 && (peek(length - 1) == 'e' || peek(length - 1) == 'E');
    const bool sign = (c == '+' || c == '-') && exponent && is_digit(peek(length + 1));
    return is_digit(c) || is_letter(c) || c == '_' || c == '.' || sign;
  };
  while (part_of_number()) ++length;
  std::string out(rest().substr(0, length));
  position_ += length;
  return out;
}

std::optional<uint32_t> Scanner::natural() {
  if (!is_digit(peek())) return std::nullopt;
  uint64_t value = 0;
  size_t length = 0;
  for (; is_digit(peek(length)); ++length) {
    value = value * 10 + static_cast<uint64_t>(peek(length) - '0');
    if (value > UINT32_MAX) return std::nullopt;
  }
  position_ += length;
  return static_cast<uint32_t>(value);
}

std::optional<SourceRange> Scanner::range() {
  static constexpr std::string_view kMarks[] = {"@", ":", "-", ":"};
  skip_blanks();
  uint32_t parts[4];
  for (size_t i = 0; i < 4; ++i) {
    if (!accept_adjacent(kMarks[i])) return std::nullopt;
    const std::optional<uint32_t> part = natural();
    if (!part) return std::nullopt;
    parts[i] = *part;
  }
  if (parts[0] == 0) return SourceRange{};  // no place
  return SourceRange{parts[0], parts[1], parts[2], parts[3]};
}

}  // namespace ranklint::ir
