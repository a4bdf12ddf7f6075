// How messages lie on the wire: a header that says how many bytes follow, an empty line, the bytes.
//
// A client that counts wrong must not leave the server deaf, so the count is not believed where the bytes say
// otherwise. A message ends with its JSON value, however many bytes were announced; and `Content-Length: 12` with the
// end of a line cannot stand in JSON, since a string has no bare line end in it: it is the next header wherever it
// comes. What lies between a message and the next header is skipped, and said.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ranklint::app::lsp {

// Reads up to `most` bytes and waits for the first of them; 0: the end.
using ReadBytes = std::function<size_t(char* to, size_t most)>;
// Takes a sentence about a message that does not lie as it should.
using TellFraming = std::function<void(const std::string& what)>;

class FrameReader {
 public:
  static constexpr size_t kMostBytes = size_t{64} << 20;

  explicit FrameReader(ReadBytes read, TellFraming tell = {}) : read_(std::move(read)), tell_(std::move(tell)) {}

  // The bytes of the next message; nothing at the end of the input, also where it comes in the middle of a message. One
  // that is larger than kMostBytes is read over and given as no bytes; one that the next header cuts off is given as
  // far as it goes.
  std::optional<std::string> next();

 private:
  bool fill();
  std::optional<size_t> header();
  std::optional<std::string> line();
  std::optional<std::string> body(size_t length);
  void take_rest();
  void tell(const std::string& what) const {
    if (tell_) tell_(what);
  }

  ReadBytes read_;
  TellFraming tell_;
  std::string buffer_;
  size_t at_ = 0;
  size_t rest_ = 0;     // bytes that were announced beyond the end of the last message
  size_t skipped_ = 0;  // bytes that are no header, since the last message
};

std::string framed(std::string_view body);

}  // namespace ranklint::app::lsp
