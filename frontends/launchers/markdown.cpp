#include "frontends/launchers/markdown.h"

#include <algorithm>
#include <optional>

#include "analyzer/base/among.h"

namespace ranklint::launchers {
namespace {

struct Fence {
  char mark = '`';
  size_t length = 0;
  std::string_view said;  // the words after it, "bash"
};

// Nothing: the line is no fence.
std::optional<Fence> fence_of(std::string_view content) {
  constexpr size_t kShortest = 3;
  if (content.empty() || (content[0] != '`' && content[0] != '~')) return std::nullopt;
  Fence fence{
      .mark = content[0], .length = std::min(content.find_first_not_of(content[0]), content.size()), .said = {}};
  content.remove_prefix(fence.length);
  content.remove_prefix(std::min(content.find_first_not_of(" \t"), content.size()));
  fence.said = content.substr(0, content.find_last_not_of(" \t") + 1);
  const bool is_code_in_a_line = fence.mark == '`' && fence.said.find('`') != fence.said.npos;
  return fence.length < kShortest || is_code_in_a_line ? std::nullopt : std::optional(fence);
}

bool is_closed_by(const Fence& open, const Fence& fence) {
  return fence.mark == open.mark && fence.length >= open.length && fence.said.empty();
}

bool is_of_shell(std::string_view said) {
  return among(said.substr(0, said.find_first_of(" \t{")),
               {"", "bash", "console", "sh", "shell", "shell-session", "shellscript", "text", "zsh"});
}

}  // namespace

MarkdownParts parts_of(std::string_view markdown) {
  MarkdownParts parts;
  std::optional<Fence> open;
  for (uint32_t number = 1; !markdown.empty(); ++number) {
    const size_t end = std::min(markdown.find('\n'), markdown.size());
    std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view content = line.substr(indent);
    const std::optional<Fence> fence = fence_of(content);
    if (!open && fence) {
      open = fence;
      if (is_of_shell(fence->said)) parts.shell.push_back({number + 1, {}});
    } else if (open && fence && is_closed_by(*open, *fence)) {
      open.reset();
    } else if (open && is_of_shell(open->said)) {
      std::string& text = parts.shell.back().text;
      text += line;
      if (content.starts_with("$ ") || content.starts_with("> ")) text[text.size() - content.size()] = ' ';
      text += '\n';
    } else if (!open && !fence) {
      parts.prose += line;
    }
    parts.prose += '\n';
  }
  return parts;
}

}  // namespace ranklint::launchers
