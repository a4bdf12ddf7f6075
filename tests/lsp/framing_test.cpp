#include "app/lsp/framing.h"

#include <catch2/catch.hpp>

#include <cstring>

namespace ranklint::app::lsp {
namespace {

// Gives the bytes in pieces of `most`.
ReadBytes pieces(std::string bytes, size_t most) {
  return [bytes = std::move(bytes), most](char* to, size_t room) mutable {
    const size_t count = std::min({most, room, bytes.size()});
    std::memcpy(to, bytes.data(), count);
    bytes.erase(0, count);
    return count;
  };
}

TEST_CASE("messages come whole, however the bytes are cut") {
  for (size_t most : {1, 2, 7, 1000}) {
    FrameReader reader(pieces(framed("{}") + framed("") + framed("[1, 2]"), most));
    CHECK(reader.next() == "{}");
    CHECK(reader.next() == "");
    CHECK(reader.next() == "[1, 2]");
    CHECK_FALSE(reader.next());
  }
}

TEST_CASE("what is no header is skipped") {
  FrameReader reader(pieces("hello\r\n\r\nContent-Length: many\r\n\r\n" + std::string(9000, 'x') + "\r\nX: y\r\ncontent-length:2\n\n{}", 50));
  CHECK(reader.next() == "{}");
}

TEST_CASE("a message that is too long is read over and told as one that is empty") {
  FrameReader reader(pieces("Content-Length: " + std::to_string(FrameReader::kMostBytes + 1) + "\r\n\r\n" +
                            std::string(FrameReader::kMostBytes + 1, 'x') + framed("{}"), 1 << 20));
  CHECK(reader.next() == "");
  CHECK(reader.next() == "{}");
}

TEST_CASE("input that ends within a message ends there") {
  FrameReader reader(pieces("Content-Length: 10\r\n\r\n{}", 5));
  CHECK_FALSE(reader.next());
}

}  // namespace
}  // namespace ranklint::app::lsp
