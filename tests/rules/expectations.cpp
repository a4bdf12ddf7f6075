#include "tests/rules/expectations.h"

#include <algorithm>
#include <optional>

namespace ranklint::test {

namespace {

// Where the first expectation of a line begins: after Python's comment sign or C++'s.
size_t find_mark(std::string_view line) {
  return std::min({line.find("# expect"), line.find("// expect"), line.find("# silent: ["), line.find("// silent: [")});
}

// Takes `prefix` from the front of `text`, after spaces.
bool take(std::string_view& text, std::string_view prefix) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Takes what stands between `open` (already taken) and `close`.
std::optional<std::string> take_until(std::string_view& text, char close) {
  const size_t end = text.find(close);
  if (end == std::string_view::npos) return std::nullopt;
  std::string inside(text.substr(0, end));
  text.remove_prefix(end + 1);
  return inside;
}

// One expectation at the front of `text`, without path and line.
std::optional<Expectation> take_expectation(std::string_view& text) {
  Expectation e;
  if (!take(text, "#") && !take(text, "//")) return std::nullopt;
  if (take(text, "expect-note:")) {
    e.kind = Expectation::Kind::Note;
  } else if (take(text, "silent:") && take(text, "[")) {
    std::optional<std::string> reasons = take_until(text, ']');
    if (!reasons || reasons->empty()) return std::nullopt;
    e.kind = Expectation::Kind::Silence;
    e.rule = *reasons;
    return e;
  } else if (take(text, "expect:") && take(text, "[")) {
    std::optional<std::string> rule = take_until(text, ']');
    if (!rule || rule->empty()) return std::nullopt;
    e.rule = *rule;
  } else {
    return std::nullopt;
  }
  if (!take(text, "\"")) return e;
  std::optional<std::string> fragment = take_until(text, '"');
  if (!fragment) return std::nullopt;
  e.fragment = *fragment;
  return e;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string_view without_expectations(std::string_view line) {
  const size_t mark = find_mark(line);
  if (mark == std::string_view::npos) return line;
  const size_t last = line.substr(0, mark).find_last_not_of(' ');
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::vector<Expectation> parse_expectations(const std::string& path, std::string_view text,
                                            std::vector<std::string>& malformed) {
  std::vector<Expectation> found;
  uint32_t number = 0;
  for (std::string_view line : lines_of(text)) {
    ++number;
    const size_t mark = find_mark(line);
    if (mark == std::string_view::npos) continue;
    std::string_view rest = line.substr(mark);
    while (rest.find_first_not_of(" \r") != std::string_view::npos) {
      std::optional<Expectation> e = take_expectation(rest);
      if (!e) {
        malformed.push_back(path + ":" + std::to_string(number) + ": can not read the expectation `" +
                            std::string(rest) + "`");
        break;
      }
      e->path = path;
      e->line = number;
      found.push_back(*std::move(e));
    }
  }
  return found;
}

}  // namespace ranklint::test
