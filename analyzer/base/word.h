// Words that files, options and reports use, and what each stands for.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace ranklint {

template <typename T>
struct Word {
  std::string_view text;
  T meaning;
};

// Empty: the table has no word for it.
template <typename T, size_t N>
constexpr std::string_view text_of(const std::array<Word<T>, N>& words, T meaning) {
  const auto word = std::ranges::find(words, meaning, &Word<T>::meaning);
  return word == words.end() ? std::string_view() : word->text;
}

template <typename T, size_t N>
constexpr std::optional<T> meaning_of(const std::array<Word<T>, N>& words, std::string_view text) {
  const auto word = std::ranges::find(words, text, &Word<T>::text);
  return word == words.end() ? std::nullopt : std::optional(word->meaning);
}

// In the order of the table.
template <typename T, size_t N>
constexpr std::array<std::string_view, N> texts_of(const std::array<Word<T>, N>& words) {
  std::array<std::string_view, N> texts;
  std::ranges::transform(words, texts.begin(), &Word<T>::text);
  return texts;
}

}  // namespace ranklint
