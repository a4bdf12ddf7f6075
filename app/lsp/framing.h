// How messages lie on the wire: a header that says how many bytes follow, an empty line, the bytes.
//
// What is no header is skipped up to the next one that is, so that a stray line costs a client nothing but that line.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ranklint::app::lsp {

// Reads up to `most` bytes and waits for the first of them; 0: the end.
using ReadBytes = std::function<size_t(char* to, size_t most)>;

class FrameReader {
 public:
  static constexpr size_t kMostBytes = size_t{64} << 20;

  explicit FrameReader(ReadBytes read) : read_(std::move(read)) {}

  // The bytes of the next message; nothing at the end of the input, also where it comes in the middle of a message. One that
  // is larger than kMostBytes is read over and given as no bytes.
  std::optional<std::string> next();

 private:
  bool fill();
  std::optional<std::string> line();
  std::optional<std::string> body(size_t length);
  bool skip(size_t length);

  ReadBytes read_;
  std::string buffer_;
  size_t at_ = 0;
};

std::string framed(std::string_view body);

}  // namespace ranklint::app::lsp
