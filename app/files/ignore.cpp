#include "app/files/ignore.h"

#include "app/files/paths.h"

#include <algorithm>

namespace ranklint::app {

namespace {

// Spaces at the end do not count unless a backslash keeps them.
std::string_view without_trailing_spaces(std::string_view line) {
  size_t kept = 0;
  for (size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ' ') continue;
    if (line[at] == '\\') ++at;
    kept = std::min(at + 1, line.size());
  }
  return line.substr(0, kept);
}

std::string_view last_component(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

void IgnorePatterns::add_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty() || line.front() == '#') return;
  line = without_trailing_spaces(line);
  const bool negated = line.starts_with('!');
  if (negated) line.remove_prefix(1);
  const bool folders_only = line.ends_with('/');
  if (folders_only) line.remove_suffix(1);
  const bool name_only = line.find('/') == std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  if (std::optional<Glob> glob = Glob::compile(line))
    patterns_.push_back(
        {.glob = std::move(*glob), .negated = negated, .folders_only = folders_only, .name_only = name_only});
}

void IgnorePatterns::add_text(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    add_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void IgnorePatterns::move(std::string_view from, std::string_view to) {
  if (lies_in(folder_, from)) folder_ = std::string(to) + folder_.substr(from.size());
}

std::optional<bool> IgnorePatterns::decide(std::string_view absolute_path, bool is_folder) const {
  if (patterns_.empty() || !absolute_path.starts_with(folder_)) return std::nullopt;
  std::string_view path = absolute_path.substr(folder_.size());
  if (!path.starts_with('/')) return std::nullopt;
  path.remove_prefix(1);
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    if (pattern->folders_only && !is_folder) continue;
    if (pattern->glob.matches(pattern->name_only ? last_component(path) : path)) return !pattern->negated;
  }
  return std::nullopt;
}

bool IgnorePatterns::leaves_out(std::string_view absolute_path, bool is_folder) const {
  if (patterns_.empty() || !absolute_path.starts_with(folder_)) return false;
  for (size_t slash = absolute_path.find('/', folder_.size() + 1); slash != std::string_view::npos;
       slash = absolute_path.find('/', slash + 1))
    if (decide(absolute_path.substr(0, slash), true).value_or(false)) return true;
  return decide(absolute_path, is_folder).value_or(false);
}

}  // namespace ranklint::app
