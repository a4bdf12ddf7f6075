#include "frontends/launchers/shown.h"

#include <algorithm>
#include <string>

#include "frontends/launchers/shell.h"

namespace ranklint::launchers {
namespace {

// The line with its comment mark or shell prompt replaced by blanks, so that columns stay as they are.
std::string without_marks(std::string_view line) {
  std::string text(line);
  if (text.ends_with('\r')) text.pop_back();
  const size_t marks = std::min(text.find_first_not_of(" \t#$>!%*"), text.size());
  std::fill_n(text.begin(), marks, ' ');
  return text;
}

// Moves what stands in the first line of a part to its columns in the text.
void move_columns(std::vector<Command>& commands, uint32_t line, uint32_t columns) {
  const auto move = [&](Word& word) {
    if (word.range.line == line) word.range.column += columns;
    if (word.range.end_line == line) word.range.end_column += columns;
  };
  for (Command& command : commands) {
    std::ranges::for_each(command.environment, move);
    std::ranges::for_each(command.words, move);
  }
}

// One after another what stands between backquotes and what does not.
void add_commands(std::string_view lines, uint32_t line, std::vector<Command>& all) {
  if (!may_start_script(lines)) return;
  uint32_t column = 0;  // in which the part begins
  while (!lines.empty()) {
    const std::string_view part = lines.substr(0, lines.find('`'));
    if (may_start_script(part)) {
      std::vector<Command> commands = commands_of(part, line);
      move_columns(commands, line, column);
      std::ranges::move(commands, std::back_inserter(all));
    }
    const auto ends = static_cast<uint32_t>(std::ranges::count(part, '\n'));
    const size_t in_line = ends > 0 ? part.size() - part.rfind('\n') - 1 : column + part.size();
    line += ends;
    column = static_cast<uint32_t>(in_line + 1);
    lines.remove_prefix(std::min(part.size() + 1, lines.size()));
  }
}

}  // namespace

std::vector<Command> commands_shown_in(std::string_view text) {
  std::vector<Command> all;
  if (!may_start_script(text)) return all;
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
