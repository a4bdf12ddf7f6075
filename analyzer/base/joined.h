#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ranklint {

// The words in their order, with the separator between each two.
inline std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string out;
  for (const std::string& word : words) out.append(&word == words.data() ? "" : separator).append(word);
  return out;
}

}  // namespace ranklint
