#pragma once

#include <algorithm>
#include <string>

namespace ranklint::app {

// The text followed by spaces, `width` bytes at least.
inline std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace ranklint::app
