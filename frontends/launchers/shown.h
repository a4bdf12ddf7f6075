// Commands that a text shows in its lines: the prose of a page, the comments of a program.
#pragma once

#include <string_view>
#include <vector>

#include "frontends/launchers/shell_words.h"

namespace ranklint::launchers {

// Those that may start a Python file. A line may have marks of a comment or of a prompt in front, and code between
// backquotes; a backslash at its end makes one line with the next.
std::vector<Command> commands_shown_in(std::string_view text);

}  // namespace ranklint::launchers
