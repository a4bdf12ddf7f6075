#include "frontends/launchers/shown.h"

#include <algorithm>
#include <string>

#include "frontends/launchers/shell.h"

namespace ranklint::launchers {
namespace {

constexpr std::string_view kScript = ".py";

// With blanks for what marks it as a comment or as typed behind a prompt.
std::string without_marks(std::string_view line) {
  std::string text(line);
  if (text.ends_with('\r')) text.pop_back();
  const size_t marks = std::min(text.find_first_not_of(" \t#$>!%*"), text.size());
  std::fill_n(text.begin(), marks, ' ');
  return text;
}

// One after another what stands between backquotes and what does not, each in its columns.
void add_commands(const std::string& lines, uint32_t first_line, std::vector<Command>& all) {
  if (lines.find(kScript) == lines.npos || !names_launcher(lines)) return;
  const auto blank = [](char c) { return c == '\n' ? c : ' '; };
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('`', begin), lines.size());
    std::string part = lines.substr(0, end);
    std::transform(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(begin), part.begin(), blank);
    std::ranges::move(commands_of(part, first_line), std::back_inserter(all));
    begin = end + 1;
  }
}

}  // namespace

std::vector<Command> commands_shown_in(std::string_view text) {
  std::vector<Command> all;
  if (text.find(kScript) == text.npos || !names_launcher(text)) return all;
  std::string lines;  // those that a backslash joins
  uint32_t first = 1, number = 1;
  for (; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (lines.empty()) first = number;
    lines += without_marks(text.substr(0, end)) + '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t last = lines.find_last_not_of(" \t\n");
    if (last != lines.npos && lines[last] == '\\' && !text.empty()) continue;
    add_commands(lines, first, all);
    lines.clear();
  }
  return all;
}

}  // namespace ranklint::launchers
