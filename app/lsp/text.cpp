#include "app/lsp/text.h"

#include <algorithm>
#include <optional>

namespace ranklint::app::lsp {

namespace {

// Bytes of the character that a byte begins; a byte that begins none stands for itself.
size_t length_at(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  size_t length = 1;
  while (length < wanted && at + length < text.size() &&
         (static_cast<unsigned char>(text[at + length]) & 0xC0U) == 0x80U)
    ++length;
  return length;
}

uint32_t units(size_t length, Encoding encoding) {
  switch (encoding) {
    case Encoding::Utf8: return static_cast<uint32_t>(length);
    case Encoding::Utf16: return length == 4 ? 2 : 1;
    case Encoding::Utf32: return 1;
  }
  return 1;
}

}  // namespace

TextLines::TextLines(std::string_view text) : text_(text), starts_{0}, source_lines_(text) {
  for (size_t i = text.find_first_of("\r\n"); i != std::string_view::npos; i = text.find_first_of("\r\n", i + 1)) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    starts_.push_back(i + 1);
  }
}

size_t TextLines::line_end(size_t offset) const { return std::min(text_.find_first_of("\r\n", offset), text_.size()); }

size_t TextLines::offset(Position position, Encoding encoding) const {
  if (position.line >= starts_.size()) return text_.size();
  size_t at = starts_[position.line];
  const size_t end = line_end(at);
  uint32_t left = position.character;
  while (left > 0 && at < end) {
    const size_t length = length_at(text_, at);
    const uint32_t count = units(length, encoding);
    if (count > left) break;
    left -= count;
    at += length;
  }
  return std::min(at, end);
}

Position TextLines::position(size_t offset, Encoding encoding) const {
  offset = std::min(offset, text_.size());
  const auto line =
      static_cast<uint32_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin() - 1);
  Position position{line, 0};
  for (size_t at = starts_[line]; at < offset;) {
    const size_t length = length_at(text_, at);
    position.character += units(length, encoding);
    at += length;
  }
  return position;
}

Span TextLines::span(const SourceRange& range) const {
  const auto at = [&](uint32_t line, uint32_t column) {
    if (line == 0) return size_t{0};
    const std::optional<size_t> start = source_lines_.offset(line, 1);
    if (!start) return text_.size();
    return std::min(*start + (column == 0 ? 0 : column - 1), line_end(*start));
  };
  const size_t begin = at(range.line, range.column);
  const size_t end = range.end_line == 0 ? begin : at(range.end_line, range.end_column);
  return {begin, end > begin ? end : line_end(begin)};
}

Relocation::Relocation(std::string_view before, std::string_view now)
    : before_(before.size()), now_(now.size()), prefix_(0), same_(before == now) {
  const size_t common = std::min(before_, now_);
  while (prefix_ < common && before[prefix_] == now[prefix_]) ++prefix_;
  while (suffix_ < common - prefix_ && before[before_ - 1 - suffix_] == now[now_ - 1 - suffix_]) ++suffix_;
}

size_t Relocation::moved(size_t offset, bool is_end) const {
  if (offset <= prefix_ && !(is_end && offset == prefix_ && suffix_ + prefix_ == before_)) return offset;
  if (offset >= before_ - suffix_) return offset + now_ - before_;
  return is_end ? now_ - suffix_ : prefix_;
}

Span Relocation::operator()(Span before) const {
  if (same_) return before;
  const size_t begin = moved(before.begin, false);
  return {begin, std::max(begin, moved(before.end, false))};
}

}  // namespace ranklint::app::lsp
