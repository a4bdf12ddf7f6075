#include "analyzer/variance/reals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ranklint {

std::optional<double> read_real(std::string_view written) {
  std::string text(written);
  std::erase(text, '_');
  double number = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || std::isnan(number)) return std::nullopt;
  const std::string_view suffix(end, static_cast<size_t>(last - end));
  if (suffix.size() > 1 || suffix.find_first_not_of("fFlL") != suffix.npos) return std::nullopt;
  return number;
}

std::string write_real(double number) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  std::string text(digits.data(), end);
  if (text.find_first_not_of("-0123456789") == text.npos) text += ".0";
  return text;
}

}  // namespace ranklint
