// The fix of a finding, as edits, where there is one that a program may apply.
//
// Safe: the program does what it did, and what was left to chance (an order, a comment without effect) is settled.
// Unsafe: it is what the finding asks for, but it changes what the program does (when it waits, what it sends) or needs
// a newer library, so a person has to agree. A rule for which neither is true has no fix: moving a collective out of a
// guard is often right and often just another bug, so no edit is offered.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/fix/edit.h"
#include "rules/finding.h"

namespace ranklint::app {

struct Fix {
  bool safe = false;
  std::string title;  // "remove the comment"
  std::string path;   // of the one file that it changes
  std::vector<Edit> edits;
};

// By the path as findings spell it.
using SourceOf = std::function<std::string_view(const std::string& path)>;

std::optional<Fix> fix_for(const Finding& finding, const SourceOf& source);

}  // namespace ranklint::app
