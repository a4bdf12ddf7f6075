// The comments that address ranklint, read: `# ranklint: ignore[rule-id, RL101] reason`.
//
//   ignore[...] reason        the finding on this line; on a line of its own, on the next line of code
//   ignore-file[...] reason   in the whole file
//
// In the brackets stand ids, codes, prefixes of codes or ALL; without brackets every rule is meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint::app {

struct Directive {
  SourceRange range = {};  // of the comment
  bool whole_file = false;
  uint32_t line = 0;                        // the line it speaks of; 0 for a whole file
  std::vector<std::string> selectors = {};  // as written; {"ALL"} without brackets
  std::string reason = {};                  // may be empty
  std::string mistake = {};                 // why it could not be read; then nothing above but `range` counts
};

// `source` is the text of the file, to find the line after a comment on a line of its own.
std::vector<Directive> read_directives(std::span<const ir::Pragma> pragmas, std::string_view source);

}  // namespace ranklint::app
