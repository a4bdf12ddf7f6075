// Comments that address ranklint, written and taken away.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/fix/edit.h"
#include "rules/finding.h"

namespace ranklint::app {

// What stands between backticks: "`a`, `b`" gives a and b.
std::vector<std::string> quoted_words(std::string_view text);

// The comment in [begin, end) without these selectors: without itself, the blanks before it, and its line where nothing
// else stands there, when none are left. Nothing when the bytes are no comment that could be understood.
std::optional<Edit> without_selectors(std::string_view text, size_t begin, size_t end,
                                      const std::vector<std::string>& unused);

// A comment for each line that holds one of the findings, all of the same file: `# ranklint: ignore[rule, rule]
// reason`. A comment that is there already gets the rules that it lacks.
std::vector<Edit> ignoring(std::string_view text, std::span<const Finding* const> findings, std::string_view reason);

}  // namespace ranklint::app
