#include "frontends/launchers/markdown.h"

#include <algorithm>

namespace ranklint::launchers {

constexpr std::string_view kFences[] = {"```", "~~~"};

std::string code_of_markdown(std::string_view text) {
  std::string code;
  std::string_view open;  // the fence that begins the block; empty: outside
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view content = std::string_view(line).substr(indent);
    const auto* fence = std::ranges::find_if(kFences, [&](std::string_view f) { return content.starts_with(f); });
    if (fence != std::end(kFences) && (open.empty() || open == *fence)) {
      open = open.empty() ? *fence : std::string_view();
    } else if (!open.empty()) {
      if (content.starts_with("$ ") || content.starts_with("> ")) line[indent] = ' ';
      code += line;
    }
    code += '\n';
  }
  return code;
}

}  // namespace ranklint::launchers
