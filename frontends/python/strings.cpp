#include "frontends/python/strings.h"

#include <algorithm>

namespace ranklint::python {

namespace {

constexpr int kMostNested = 50;

bool is_quote(char c) { return c == '\'' || c == '"'; }

bool is_letter(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0; }

// Whether the letters before the quote make its string a formatted one: f, t, rf, Tr, ...
bool is_formatted(std::string_view text, size_t quote) {
  constexpr size_t kLongestPrefix = 2;
  bool formatted = false;
  size_t at = quote;
  for (; at > 0 && is_letter(text[at - 1]); --at) {
    if (quote - at == kLongestPrefix) return false;
    const char letter = static_cast<char>(text[at - 1] | 0x20);
    if (letter == 'f' || letter == 't')
      formatted = true;
    else if (letter != 'r')
      return false;
  }
  return formatted && (at == 0 || text[at - 1] < '0' || text[at - 1] > '9');
}

}  // namespace

size_t StringReader::end_of(size_t at, int depth) {
  const char quote = text_[at];
  const bool is_long = text_.substr(at + 1).starts_with(quote == '"' ? "\"\"" : "''");
  const std::string_view end = text_.substr(at, is_long ? 3 : 1);
  const bool formatted = is_formatted(text_, at);
  for (at += end.size(); at < text_.size(); ++at) {
    const char c = text_[at];
    if (c == '\\') {
      ++at;
    } else if (text_.substr(at).starts_with(end)) {
      return at + end.size();
    } else if (!is_long && c == '\n') {
      return at;
    } else if (c == '{' && formatted && !broken_) {
      if (text_.substr(at + 1).starts_with('{'))
        ++at;
      else if (const std::optional<size_t> after = end_of_field(at, end, depth + 1))
        at = *after - 1;
      else
        broken_ = true;
    }
  }
  return text_.size();
}

// Behind the brace that closes the one at `at`; none where that is not closed.
std::optional<size_t> StringReader::end_of_field(size_t at, std::string_view end, int depth) {
  if (depth > kMostNested) return std::nullopt;
  int open = 0;
  for (size_t i = at; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '{' || c == '[' || c == '(')
      ++open;
    else if ((c == '}' || c == ']' || c == ')') && --open == 0)
      return i + 1;
    else if (c == ':' && open == 1)
      return end_of_format(i + 1, end, depth);
    else if (c == '#')
      i = std::min(text_.find('\n', i), text_.size()) - 1;
    else if (is_quote(c))
      i = end_of(i, depth) - 1;
    if (broken_) return std::nullopt;
  }
  return std::nullopt;
}

// The same, from within its format specifier: text with fields.
std::optional<size_t> StringReader::end_of_format(size_t at, std::string_view end, int depth) {
  for (; at < text_.size(); ++at) {
    if (text_[at] == '}') return at + 1;
    if (text_.substr(at).starts_with(end)) return std::nullopt;
    if (text_[at] != '{') continue;
    const std::optional<size_t> after = end_of_field(at, end, depth + 1);
    if (!after) return std::nullopt;
    at = *after - 1;
  }
  return std::nullopt;
}

}  // namespace ranklint::python
