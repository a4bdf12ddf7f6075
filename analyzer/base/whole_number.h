#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ranklint {

// The integer that the whole text is, in decimal digits with or without a minus. None: the text is something else, or
// the integer is too large.
inline std::optional<int64_t> whole_number(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace ranklint
