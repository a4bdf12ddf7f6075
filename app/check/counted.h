#pragma once

#include <cstddef>
#include <string>

namespace ranklint::app {

// "1 file", "2 files"
inline std::string counted(size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace ranklint::app
