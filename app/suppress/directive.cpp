#include "app/suppress/directive.h"

#include <algorithm>
#include <cctype>

#include "app/config/selectors.h"

namespace ranklint::app {

namespace {

constexpr std::string_view kBlank = " \t\r\f\v";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Where each line of a file begins.
class LinesOfCode {
 public:
  explicit LinesOfCode(std::string_view source) : source_(source) {
    for (size_t at = 0; at < source.size(); at = source.find('\n', at), at += at < source.size() ? 1 : 0)
      begins_.push_back(at);
  }
  // The first line after `line` that holds code; the next one when there is none.
  uint32_t next_code(uint32_t line) const {
    for (size_t next = line; next < begins_.size(); ++next) {
      const std::string_view text = trimmed(text_of(next));
      if (!text.empty() && text.front() != '#') return static_cast<uint32_t>(next + 1);
    }
    return line + 1;
  }

 private:
  std::string_view text_of(size_t index) const {
    const size_t end = index + 1 < begins_.size() ? begins_[index + 1] - 1 : source_.size();
    return source_.substr(begins_[index], end - begins_[index]);
  }
  std::string_view source_;
  std::vector<size_t> begins_;
};

// Splits at commas; blanks around the parts do not count, nor do empty parts.
std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    if (const std::string_view part = trimmed(list.substr(0, end)); !part.empty()) parts.emplace_back(part);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

// The reason may be set off by a dash or a colon, and ends where another comment begins.
std::string reason_in(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("#")) return "";
  text = trimmed(text.substr(0, std::min(text.find("  #"), text.find(" # "))));  // but "see #12" goes on
  while (text.starts_with("-") || text.starts_with(":")) text = trimmed(text.substr(1));
  return std::string(text);
}

Directive read_directive(const ir::Pragma& pragma) {
  Directive directive{.range = pragma.range};
  const std::string_view text = trimmed(pragma.text);
  const auto ends_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_';
  };
  const std::string_view word =
      text.substr(0, static_cast<size_t>(std::find_if(text.begin(), text.end(), ends_word) - text.begin()));
  directive.whole_file = word == "ignore-file";
  if (!directive.whole_file && word != "ignore") {
    const std::vector<std::string> words{"ignore", "ignore-file"};
    const std::string guess = did_you_mean(word, words);
    directive.mistake = "unknown directive `" + std::string(word) + "`" +
                        (guess.empty() ? "; use `ranklint: ignore[RULE] reason`" : guess);
    return directive;
  }
  std::string_view rest = trimmed(text.substr(word.size()));
  if (!rest.starts_with('[')) {
    directive.selectors = {"ALL"};
  } else if (const size_t close = rest.find(']'); close == std::string_view::npos) {
    directive.mistake = "the list of rules has no closing `]`";
    return directive;
  } else {
    directive.selectors = split_list(rest.substr(1, close - 1));
    rest.remove_prefix(close + 1);
    if (directive.selectors.empty()) directive.mistake = "the list of rules is empty";
  }
  directive.reason = reason_in(rest);
  return directive;
}

}  // namespace

std::vector<Directive> read_directives(std::span<const ir::Pragma> pragmas, std::string_view source) {
  std::vector<Directive> directives;
  if (pragmas.empty()) return directives;
  const LinesOfCode lines(source);
  for (const ir::Pragma& pragma : pragmas) {
    Directive directive = read_directive(pragma);
    if (!directive.whole_file)
      directive.line = pragma.own_line ? lines.next_code(pragma.range.line) : pragma.range.line;
    directives.push_back(std::move(directive));
  }
  return directives;
}

}  // namespace ranklint::app
