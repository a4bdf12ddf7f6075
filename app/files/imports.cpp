#include "app/files/imports.h"

#include <algorithm>
#include <array>

namespace ranklint::app {

namespace {

constexpr std::array<bool, 256> kLetters = [] {
  std::array<bool, 256> letters{};
  for (size_t c = 0; c < letters.size(); ++c)
    letters[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
  return letters;
}();

bool is_letter(char c) { return kLetters[static_cast<unsigned char>(c)]; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Import> scan() {
    bool may_begin = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_letter(c)) {
        const std::string_view found = word();
        if (may_begin && found == "import") read_import();
        if (may_begin && found == "from") read_from();
        may_begin = false;
      } else if (c == '"' || c == '\'') {
        skip_string();
        may_begin = false;
      } else if (c == '#') {
        skip_comment();
      } else {
        if (c != ' ' && c != '\t' && c != '\r') may_begin = c == '\n' || c == ';' || c == ':';
        ++at_;
      }
    }
    return std::move(imports_);
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  std::string_view word() {
    const size_t begin = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // A string that is not closed ends with its line; in three quotes, with the text.
  void skip_string() {
    const std::string_view quote = text_.substr(at_, 1);
    const std::string_view three = text_.substr(at_, 3);
    const bool is_long = three.size() == 3 && three[1] == quote[0] && three[2] == quote[0];
    at_ += is_long ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (is_long ? text_.substr(at_, 3) == three : text_[at_] == quote[0]) {
        at_ += is_long ? 3 : 1;
        return;
      } else if (!is_long && text_[at_] == '\n') {
        return;
      }
    }
    at_ = std::min(at_, text_.size());
  }

  // To what comes next in the statement: over blanks, lines that are joined, and in brackets over comments and lines.
  void skip_blanks(bool in_brackets) {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\') {
        at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      } else if (in_brackets && c == '#') {
        skip_comment();
        if (at_ == text_.size()) return;
      } else if (c != ' ' && c != '\t' && c != '\r' && !(in_brackets && c == '\n')) {
        return;
      }
    }
  }

  std::string dotted() {
    std::string name;
    for (skip_blanks(false); is_letter(peek()) || (peek() == '.' && !name.empty()); skip_blanks(false)) {
      if (peek() == '.') {
        name += text_[at_++];
        continue;
      }
      if (!name.empty() && name.back() != '.') break;  // the next word
      name += word();
    }
    while (name.ends_with('.')) name.pop_back();
    return name;
  }

  // Over `as name`, if it stands here.
  void skip_alias(bool in_brackets) {
    skip_blanks(in_brackets);
    if (text_.substr(at_, 2) != "as" || (at_ + 2 < text_.size() && is_letter(text_[at_ + 2]))) return;
    word();
    skip_blanks(in_brackets);
    word();
    skip_blanks(in_brackets);
  }

  bool takes_comma() {
    if (peek() != ',') return false;
    ++at_;
    return true;
  }

  void read_import() {
    do {
      const std::string name = dotted();
      if (name.empty()) return;
      imports_.push_back({.level = 0, .module = name, .names = {}});
      skip_alias(false);
    } while (takes_comma());
  }

  void read_from() {
    Import found;
    for (skip_blanks(false); peek() == '.'; skip_blanks(false)) {
      ++found.level;
      ++at_;
    }
    if (text_.substr(at_, 7) != "import ") found.module = dotted();
    if (word() != "import" || (found.module.empty() && found.level == 0)) return;  // `yield from`, or half-typed
    skip_blanks(false);
    const bool in_brackets = peek() == '(';
    if (in_brackets) ++at_;
    do {
      skip_blanks(in_brackets);
      if (peek() == '*') {
        ++at_;
        found.names.emplace_back("*");
      } else if (is_letter(peek())) {
        found.names.emplace_back(word());
      }
      skip_alias(in_brackets);
    } while (takes_comma());
    imports_.push_back(std::move(found));
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Import> imports_;
};

}  // namespace

std::vector<Import> imports_of(std::string_view text) { return Scanner(text).scan(); }

}  // namespace ranklint::app
