#include "app/lsp/framing.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ranklint::app::lsp {

namespace {

constexpr size_t kLongestLine = 4096;
constexpr size_t kLongestLength = 64;  // of a line with a length
constexpr std::string_view kName = "content-length:";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Where the name of a header with a length begins; npos: nowhere.
size_t find_name(std::string_view text, size_t from = 0) {
  const auto found = std::search(text.begin() + static_cast<std::ptrdiff_t>(std::min(from, text.size())), text.end(),
                                 kName.begin(), kName.end(), [](char a, char b) { return lower(a) == b; });
  return found == text.end() ? std::string_view::npos : static_cast<size_t>(found - text.begin());
}

// The number of a "Content-Length: 12" that ends the line; `begin`: where the name begins in it.
std::optional<size_t> content_length(std::string_view line, size_t begin) {
  line.remove_prefix(begin + kName.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  size_t length = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), length);
  if (error != std::errc() || end != line.data() + line.size()) return std::nullopt;
  return length;
}

// That of the last one in the line: what stands before it may be any text.
size_t last_name(std::string_view line) {
  size_t last = std::string_view::npos;
  for (size_t at = find_name(line); at != std::string_view::npos; at = find_name(line, at + 1)) last = at;
  return last;
}

// Where a whole header with a length begins, to the end of its line; npos: nowhere.
size_t find_header(std::string_view text, size_t from) {
  for (size_t at = find_name(text, from); at != std::string_view::npos; at = find_name(text, at + 1)) {
    const size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return end;
    if (content_length(text.substr(at, end - at), 0)) return at;
  }
  return std::string_view::npos;
}

// Finds the end of a JSON object or list in bytes that come one after the other; what begins with anything else has
// none.
class ValueEnd {
 public:
  // After the value's last byte; npos: not among these bytes.
  size_t end_in(std::string_view bytes) {
    for (size_t i = 0; i < bytes.size() && !is_other_; ++i)
      if (ends_with(bytes[i])) return i + 1;
    return std::string_view::npos;
  }

 private:
  bool ends_with(char c) {
    if (in_string_) {
      in_string_ = is_escaped_ || c != '"';
      is_escaped_ = !is_escaped_ && c == '\\';
      return false;
    }
    if (c == '{' || c == '[') {
      ++depth_;
      return false;
    }
    if (depth_ == 0) {
      is_other_ = !is_blank(c);
      return false;
    }
    in_string_ = c == '"';
    return (c == '}' || c == ']') && --depth_ == 0;
  }

  size_t depth_ = 0;
  bool in_string_ = false, is_escaped_ = false, is_other_ = false;
};

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
    if (const size_t size = buffer_.size() - at_;
        size > kLongestLine) {  // no header is that long; one may begin at its end
      skipped_ += size - kLongestLength;
      at_ += size - kLongestLength;
    }
    if (!fill()) return std::nullopt;
  }
}

// The length in the next header, which is over with its empty line. Its name need not begin a line: a message that was
// announced too short runs up to it.
std::optional<size_t> FrameReader::header() {
  std::optional<size_t> length;
  while (const std::optional<std::string> text = line()) {
    if (text->empty() && length) {
      if (skipped_ != 0)
        tell("skipped " + std::to_string(skipped_) +
             " bytes that are no header; is a Content-Length too small, or none?");
      skipped_ = 0;
      return length;
    }
    const size_t name = last_name(*text);
    if (name == std::string::npos) {
      // Other headers have a name and no braces; they are not for us.
      if (text->find_first_of("{}[]\"") != std::string::npos || text->find(':') == std::string::npos)
        skipped_ += text->size();
      continue;
    }
    skipped_ += name;
    length = content_length(*text, name);
    if (!length) tell("expected a number of bytes, got `" + text->substr(name, 80) + "`; what it announces is skipped");
  }
  return std::nullopt;
}

// Bytes that were announced and are no part of the value: blanks, or else the count was wrong.
void FrameReader::take_rest() {
  while (rest_ != 0) {
    if (at_ == buffer_.size() && !fill()) return;
    if (!is_blank(buffer_[at_])) break;
    ++at_;
    --rest_;
  }
  if (rest_ != 0) tell("the last message has " + std::to_string(rest_) + " bytes less than its Content-Length said");
  rest_ = 0;
}

std::optional<std::string> FrameReader::body(size_t length) {
  const bool is_kept = length <= kMostBytes;
  ValueEnd value;
  size_t dropped = 0, scanned = 0;  // of the body: bytes before at_, and looked at after it
  for (;;) {
    const std::string_view there = std::string_view(buffer_).substr(at_, length - dropped);
    size_t end = value.end_in(there.substr(scanned));
    if (end != std::string_view::npos) end += scanned;
    const size_t next = find_header(there.substr(0, end), scanned - std::min(scanned, kLongestLength));
    const bool is_cut = next != std::string_view::npos, is_ended = !is_cut && end != std::string_view::npos;
    if (is_cut || is_ended || dropped + there.size() == length) {
      const size_t size = is_cut ? next : is_ended ? end : there.size();
      std::string text(is_kept ? there.substr(0, size) : std::string_view());
      at_ += size;
      if (is_ended) rest_ = length - dropped - size;
      if (is_cut)
        tell("a message ends after " + std::to_string(dropped + size) + " of the " + std::to_string(length) +
             " bytes that its Content-Length said");
      return text;
    }
    const size_t drop =
        is_kept ? 0 : there.size() - std::min(there.size(), kLongestLength);  // a header may begin at the end
    scanned = there.size() - drop;
    at_ += drop;
    dropped += drop;
    if (!fill()) return std::nullopt;
  }
}

std::optional<std::string> FrameReader::next() {
  take_rest();
  const std::optional<size_t> length = header();
  return length ? body(*length) : std::nullopt;
}

std::string framed(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace ranklint::app::lsp
