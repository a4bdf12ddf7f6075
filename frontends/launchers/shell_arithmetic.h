// What `$((...))` stands for in a shell script.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ranklint::launchers {

// What a variable holds.
struct ShellValue {
  std::vector<std::string> words;  // of an array several
  bool known = true;
  friend bool operator==(const ShellValue&, const ShellValue&) = default;
};

// A character of a variable's name.
bool is_in_name(char c);

// 8, 2 * 4, (N + 1) / 2; nothing for what is not a whole number.
std::optional<int64_t> arithmetic(std::string_view text, const std::map<std::string, ShellValue>& variables);

}  // namespace ranklint::launchers
