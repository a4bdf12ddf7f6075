// Completion scripts for shells.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/description.h"

namespace ranklint::app {

// For "bash", "zsh" or "fish". `rules`: what is offered where a rule is wanted.
std::optional<std::string> completion_script(std::string_view shell, const CommandDescription& program,
                                             const std::vector<std::string>& rules);

}  // namespace ranklint::app
