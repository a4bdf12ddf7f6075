#include "frontends/python/sections.h"

#include <algorithm>
#include <cstdint>

#include "frontends/python/strings.h"

namespace ranklint::python {

namespace {

constexpr std::string_view kBlank = " \t\r\n\f";
// The parser's tree takes up to two hundred times the memory of its text, so a longer section ends at the next
// statement.
constexpr size_t kLongSection = size_t{32} << 10;

bool takes_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || text.size() == word.size() || (text[word.size()] != ' ' && text[word.size()] != '\t'))
    return false;
  text.remove_prefix(std::min(text.find_first_not_of(" \t", word.size()), text.size()));
  return true;
}

bool is_definition(std::string_view line) {
  if (takes_word(line, "class")) return true;
  takes_word(line, "async");
  return takes_word(line, "def");
}

// In an expression of several lines `@` multiplies; there it never stands at the left margin, close to what follows.
bool is_decorator(std::string_view line) {
  const auto begins_name = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
  };
  return line.size() > 1 && line[0] == '@' && begins_name(line[1]);
}

// It goes on with the statement before it.
bool is_clause(std::string_view line) {
  constexpr std::string_view kClauses[] = {"else", "elif", "except", "finally"};
  const auto ends_word = [](char c) {
    return kBlank.find(c) != std::string_view::npos || c == ':' || c == '(' || c == '*' || c == '\\';
  };
  return std::any_of(std::begin(kClauses), std::end(kClauses), [&](std::string_view word) {
    return line.starts_with(word) && line.size() > word.size() && ends_word(line[word.size()]);
  });
}

class Cutter {
 public:
  explicit Cutter(std::string_view source) : source_(source), strings_(source) {}

  std::vector<std::string_view> run() {
    while (at_ < source_.size()) {
      if (at_ == 0 || source_[at_ - 1] == '\n') begin_line();
      step();
    }
    sections_.push_back(source_.substr(begin_));
    return std::move(sections_);
  }

 private:
  // A string that goes over several lines is taken in one step, so no line begins in it.
  void begin_line() {
    const std::string_view line = source_.substr(at_);
    const bool decorator = is_decorator(line);
    if (decorator || is_definition(line)) {
      if (!decorated_) cut();
      decorated_ = decorator;
    } else if (depth_ == 0 && line[0] != '#' && kBlank.find(line[0]) == std::string_view::npos) {
      if (at_ - begin_ >= kLongSection && !decorated_ && !is_clause(line) && !is_continued()) cut();
      decorated_ = false;
    }
  }

  // By a backslash at the end of the line before.
  bool is_continued() const {
    return source_.substr(0, at_).ends_with("\\\n") || source_.substr(0, at_).ends_with("\\\r\n");
  }

  void cut() {
    depth_ = 0;
    if (source_.substr(begin_, at_ - begin_).find_first_not_of(kBlank) == std::string_view::npos) return;
    sections_.push_back(source_.substr(begin_, at_ - begin_));
    begin_ = at_;
  }

  void step() {
    switch (source_[at_]) {
      case '#': at_ = std::min(source_.find('\n', at_), source_.size()); return;
      case '\'':
      case '"': at_ = strings_.end_of(at_); return;
      case '(':
      case '[':
      case '{': ++depth_; break;
      case ')':
      case ']':
      case '}': depth_ -= depth_ > 0 ? 1 : 0; break;
      default: break;
    }
    ++at_;
  }

  std::string_view source_;
  StringReader strings_;
  std::vector<std::string_view> sections_;
  size_t begin_ = 0, at_ = 0;  // of the section; of what is read
  uint32_t depth_ = 0;         // of brackets
  bool decorated_ = false;     // decorators have come, and what they belong to has not
};

}  // namespace

std::vector<std::string_view> sections_of(std::string_view source) { return Cutter(source).run(); }

}  // namespace ranklint::python
