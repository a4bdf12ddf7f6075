#include "runtime/group/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ranklint::runtime {

// How many bytes the character at the front takes (Unicode 15, table 3-7); 0: it is none.
static size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto is_between = [&](size_t i, unsigned low, unsigned high) { return i < text.size() && byte(i) >= low && byte(i) <= high; };
  const auto continues = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i)
      if (!is_between(i, 0x80, 0xBF)) return false;
    return true;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1, 2) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF)  // neither longer than need be, nor half of a pair
    return is_between(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && continues(2, 3) ? 3 : 0;
  if (first >= 0xF0 && first <= 0xF4)
    return is_between(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && continues(2, 4) ? 4 : 0;
  return 0;
}

void JsonText::separate() {
  if (!first_) out_ += ", ";
  first_ = false;
}

JsonText& JsonText::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
  return *this;
}

JsonText& JsonText::close(char bracket) {
  out_ += bracket;
  first_ = false;
  return *this;
}

JsonText& JsonText::raw(std::string_view value) {
  separate();
  out_ += value;
  return *this;
}

JsonText& JsonText::key(std::string_view name) {
  separate();
  quote(name);
  out_ += ": ";
  first_ = true;
  return *this;
}

JsonText& JsonText::text(std::string_view value) {
  separate();
  quote(value);
  return *this;
}

JsonText& JsonText::decimal(double value) {
  std::array<char, 64> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, 3);
  return raw({digits.data(), end.ptr});
}

void JsonText::quote(std::string_view value) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out_ += '"';
  for (size_t i = 0, length = 0; i < value.size(); i += std::max<size_t>(length, 1)) {
    const char c = value[i];
    const auto byte = static_cast<unsigned char>(c);
    length = utf8_length(value.substr(i));
    if (length == 0) {
      out_ += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (byte < 0x20) {
      out_ += "\\u00";
      out_ += kHex[byte >> 4];
      out_ += kHex[byte & 15];
    } else {
      out_ += value.substr(i, length);
    }
  }
  out_ += '"';
}

}  // namespace ranklint::runtime
