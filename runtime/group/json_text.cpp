#include "runtime/group/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "runtime/base/utf8.h"

namespace ranklint::runtime {

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
