// Whether a word is in a short list of words.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace ranklint {

template <typename Words>
bool among(std::string_view word, const Words& words) {
  return std::ranges::find(words, word) != std::ranges::end(words);
}

inline bool among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace ranklint
