// What a report must know about characters: where they begin, how wide a terminal shows them, how many UTF-16
// units they are. Source files hold any bytes, so everything here accepts any bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ranklint::report {

struct Character {
  char32_t code = 0;  // U+FFFD for a byte that is not UTF-8
  size_t bytes = 0;   // how many it takes; 1 for such a byte
};

// The character at the front of a text that is not empty.
Character first_character(std::string_view text);

// Columns on a terminal: 0 for marks that combine with what stands before, 2 for CJK and emoji, else 1.
unsigned display_width(char32_t code);
unsigned display_width(std::string_view text);

size_t count_code_points(std::string_view text);
size_t count_utf16_units(std::string_view text);

// The text with every control character and broken byte replaced by U+FFFD, so that a source file cannot
// steer the terminal that shows it. Tabs become single spaces.
std::string printable(std::string_view text);

// The same for one character; a tab is left to the caller, which knows its column.
std::string printable(char32_t code, std::string_view bytes);

}  // namespace ranklint::report
