// The commands that a README shows.
#pragma once

#include <string>
#include <string_view>

namespace ranklint::launchers {

// The text with nothing left but what stands in fenced blocks of code, without prompts; each line stays where it is.
std::string code_of_markdown(std::string_view text);

}  // namespace ranklint::launchers
