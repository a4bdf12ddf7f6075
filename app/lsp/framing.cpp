#include "app/lsp/framing.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ranklint::app::lsp {

namespace {

constexpr size_t kLongestLine = 4096;

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

// The number of a "Content-Length: 12" line.
std::optional<size_t> content_length(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !same_letters(line.substr(0, colon), "Content-Length")) return std::nullopt;
  line.remove_prefix(std::min(line.find_first_not_of(" \t", colon + 1), line.size()));
  size_t length = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), length);
  if (error != std::errc() || end != line.data() + line.size()) return std::nullopt;
  return length;
}

}  // namespace

bool FrameReader::fill() {
  if (at_ != 0) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  std::array<char, 65536> piece;
  const size_t count = read_(piece.data(), piece.size());
  buffer_.append(piece.data(), count);
  return count != 0;
}

std::optional<std::string> FrameReader::line() {
  for (;;) {
    if (const size_t end = buffer_.find('\n', at_); end != std::string::npos) {
      std::string text = buffer_.substr(at_, end - at_);
      at_ = end + 1;
      if (text.ends_with('\r')) text.pop_back();
      return text;
    }
    if (buffer_.size() - at_ > kLongestLine) at_ = buffer_.size();  // no header is that long
    if (!fill()) return std::nullopt;
  }
}

std::optional<std::string> FrameReader::body(size_t length) {
  while (buffer_.size() - at_ < length)
    if (!fill()) return std::nullopt;
  std::string text = buffer_.substr(at_, length);
  at_ += length;
  return text;
}

bool FrameReader::skip(size_t length) {
  while (buffer_.size() - at_ < length) {
    length -= buffer_.size() - at_;
    at_ = buffer_.size();
    if (!fill()) return false;
  }
  at_ += length;
  return true;
}

std::optional<std::string> FrameReader::next() {
  std::optional<size_t> length;
  while (const std::optional<std::string> header = line()) {
    if (const auto found = content_length(*header)) length = found;
    if (!header->empty() || !length) continue;
    if (*length <= kMostBytes) return body(*length);
    if (!skip(*length)) return std::nullopt;
    return "";
  }
  return std::nullopt;
}

std::string framed(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace ranklint::app::lsp
