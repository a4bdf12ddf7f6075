#include "frontends/launchers/shell_arithmetic.h"

#include <charconv>

namespace ranklint::launchers {

namespace {

constexpr int kDeepestArithmetic = 40;

class Arithmetic {
 public:
  Arithmetic(std::string_view text, const std::map<std::string, ShellValue>& variables)
      : text_(text), variables_(variables) {}

  std::optional<int64_t> value() {
    const std::optional<int64_t> v = sum(0);
    skip();
    return at_ == text_.size() ? v : std::nullopt;
  }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    return ++at_, true;
  }

  std::optional<int64_t> sum(int depth) {
    std::optional<int64_t> left = product(depth);
    while (left) {
      int64_t out = 0;
      const bool plus = take('+');
      if (!plus && !take('-')) return left;
      const std::optional<int64_t> right = product(depth);
      if (!right || (plus ? __builtin_add_overflow(*left, *right, &out) : __builtin_sub_overflow(*left, *right, &out)))
        return std::nullopt;
      left = out;
    }
    return left;
  }

  std::optional<int64_t> product(int depth) {
    std::optional<int64_t> left = atom(depth);
    while (left) {
      int64_t out = 0;
      skip();
      const char op = at_ < text_.size() ? text_[at_] : ' ';
      if (op != '*' && op != '/' && op != '%') return left;
      ++at_;
      const std::optional<int64_t> right = atom(depth);
      if (!right || (op != '*' && *right <= 0) || (op == '*' && __builtin_mul_overflow(*left, *right, &out)))
        return std::nullopt;
      left = op == '*' ? out : op == '/' ? *left / *right : *left % *right;
    }
    return left;
  }

  std::optional<int64_t> atom(int depth) {
    if (depth > kDeepestArithmetic) return std::nullopt;
    if (take('(')) {
      const std::optional<int64_t> inner = sum(depth + 1);
      return take(')') ? inner : std::nullopt;
    }
    if (take('$')) take('{');
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() && is_in_name(text_[at_])) ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    take('}');
    return number(word, depth);
  }

  std::optional<int64_t> number(const std::string& word, int depth) {
    int64_t n = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (!word.empty() && error == std::errc() && end == word.data() + word.size()) return n;
    const auto found = variables_.find(word);
    if (found == variables_.end() || !found->second.known || found->second.words.size() != 1 ||
        depth > kDeepestArithmetic)
      return std::nullopt;
    int64_t held = 0;
    const std::string& text = found->second.words[0];
    const auto [stop, wrong] = std::from_chars(text.data(), text.data() + text.size(), held);
    return wrong == std::errc() && stop == text.data() + text.size() ? std::optional(held) : std::nullopt;
  }

  std::string_view text_;
  const std::map<std::string, ShellValue>& variables_;
  size_t at_ = 0;
};

}  // namespace

bool is_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::optional<int64_t> arithmetic(std::string_view text, const std::map<std::string, ShellValue>& variables) {
  return Arithmetic(text, variables).value();
}

}  // namespace ranklint::launchers
