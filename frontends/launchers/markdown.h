// The commands that a page shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ranklint::launchers {

struct CodeBlock {
  uint32_t line = 1;  // of its first line in the text
  std::string text;   // without prompts; each line and each column stays where it is
};

struct MarkdownParts {
  // The fenced blocks, as CommonMark has them, of what a shell reads, or of what does not say what reads it.
  std::vector<CodeBlock> shell;
  std::string prose;  // with an empty line for each line of a fenced block
};

MarkdownParts parts_of(std::string_view markdown);

}  // namespace ranklint::launchers
