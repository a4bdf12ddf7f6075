#include "app/lsp/framing.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

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
  FrameReader reader(pieces(
      "hello\r\n\r\nContent-Length: many\r\n\r\n" + std::string(9000, 'x') + "\r\nX: y\r\ncontent-length:2\n\n{}", 50));
  CHECK(reader.next() == "{}");
}

TEST_CASE("a message that is too long is read over and told as one that is empty") {
  FrameReader reader(pieces("Content-Length: " + std::to_string(FrameReader::kMostBytes + 1) + "\r\n\r\n" +
                                std::string(FrameReader::kMostBytes + 1, 'x') + framed("{}"),
                            1 << 20));
  CHECK(reader.next() == "");
  CHECK(reader.next() == "{}");
}

TEST_CASE("input that ends within a message ends there") {
  FrameReader reader(pieces("Content-Length: 10\r\n\r\n{\"a\":", 5));
  CHECK_FALSE(reader.next());
}

// What the reader returns of a message and of two good ones after it, and what it reports. The input does not end: a
// read that has to wait for more is a server that hears nothing.
struct Heard {
  std::vector<std::string> messages, told;
};

Heard heard(const std::string& first, size_t most) {
  Heard out;
  const std::string all = first + framed(R"({"id": 1})") + framed(R"({"id": 2})");
  bool is_over = false;
  const ReadBytes bytes = pieces(all, most);
  FrameReader reader(
      [&](char* to, size_t room) {
        const size_t count = bytes(to, room);
        is_over = is_over || count == 0;
        return count;
      },
      [&](const std::string& what) { out.told.push_back(what); });
  while (const std::optional<std::string> message = reader.next())
    if (!is_over) out.messages.push_back(*message);
  return out;
}

TEST_CASE("after a wrong Content-Length the next messages are heard, and the wrong one is told") {
  const std::string body = R"({"method": "x", "text": "} Content-Length: 7 {"})";
  const std::string header =
      GENERATE("Content-Length: 48", "Content-Length: 49", "Content-Length: 53", "Content-Length: 120",
               "Content-Length: 1000000", "Content-Length: 99999999999", "Content-Length: 99999999999999999999999999",
               "Content-Length: 46", "Content-Length: 20", "Content-Length: 1", "Content-Length: 0",
               "Content-Length: -5", "Content-Length: ", "Content-Length: 0x30", "Content-Length: 48 bytes",
               "Content-Type: json", "Content-Length 48", "Kontent-Length: 48", "");
  for (const size_t most : {1, 7, 100000}) {
    INFO(header << ", in pieces of " << most);
    const Heard all = heard(header + "\r\n\r\n" + body, most);
    REQUIRE(all.messages.size() >= 2);
    CHECK(all.messages[all.messages.size() - 2] == R"({"id": 1})");
    CHECK(all.messages.back() == R"({"id": 2})");
    if (header == "Content-Length: " + std::to_string(body.size()))
      CHECK((all.told.empty() && all.messages.front() == body));
    else
      CHECK_FALSE(all.told.empty());
  }
}

TEST_CASE("a message that is announced too long is given as soon as it is there") {
  const std::string body = R"({"id": 3})";
  bool waited = false;
  const ReadBytes bytes = pieces("Content-Length: 500\r\n\r\n" + body, 1000);
  FrameReader reader([&](char* to, size_t room) {
    const size_t count = bytes(to, room);
    waited = waited || count == 0;
    return count;
  });
  CHECK(reader.next() == body);
  CHECK_FALSE(waited);
}

TEST_CASE("blanks behind a value belong to its message") {
  std::vector<std::string> told;
  FrameReader reader(pieces(framed(" {} \r\n") + framed("[]\n") + framed("{}"), 3),
                     [&](const std::string& what) { told.push_back(what); });
  CHECK(reader.next() == " {}");
  CHECK(reader.next() == "[]");
  CHECK(reader.next() == "{}");
  CHECK(told.empty());
}

TEST_CASE("a message that does not end is cut off by the next header") {
  const Heard all = heard("Content-Length: 3000\r\n\r\n{\"a\": [1, 2", 10);
  REQUIRE(all.messages.size() == 3);
  CHECK(all.messages[0] == "{\"a\": [1, 2");
  CHECK(all.told == std::vector<std::string>{"a message ends after 11 of the 3000 bytes that its Content-Length said"});
}

}  // namespace
}  // namespace ranklint::app::lsp
