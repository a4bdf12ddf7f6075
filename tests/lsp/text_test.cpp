#include "app/lsp/text.h"

#include <catch2/catch.hpp>

#include "app/lsp/document.h"

namespace ranklint::app::lsp {
namespace {

TEST_CASE("a position is counted in the client's units, and back") {
  const TextLines lines("x\né𝄞z\r\nw\rv");
  const size_t z = 1 + 1 + 2 + 4;
  CHECK(lines.position(z, Encoding::Utf8) == Position{1, 6});
  CHECK(lines.position(z, Encoding::Utf16) == Position{1, 3});
  CHECK(lines.position(z, Encoding::Utf32) == Position{1, 2});
  for (Encoding encoding : {Encoding::Utf8, Encoding::Utf16, Encoding::Utf32}) {
    CHECK(lines.offset(lines.position(z, encoding), encoding) == z);
    CHECK(lines.position(lines.text().size() - 1, encoding) == Position{3, 0});
  }
}

TEST_CASE("a position behind its line is the line's end, inside a character the character") {
  const TextLines lines("ab\r\n𝄞");
  CHECK(lines.offset({0, 99}, Encoding::Utf16) == 2);
  CHECK(lines.offset({7, 0}, Encoding::Utf16) == lines.text().size());
  CHECK(lines.offset({1, 1}, Encoding::Utf16) == 4);
}

TEST_CASE("changes are applied one after the other, each to what the one before made") {
  const Json changes = Json::parse(R"([
    {"range": {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 1}}, "text": "\n"},
    {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}, "text": "é"}])");
  CHECK(changed_text("ab", changes, Encoding::Utf16) == "a\né");
  CHECK(changed_text("ab", Json::parse(R"([{"text": "new"}, {"range": 7, "text": "newer"}])"), Encoding::Utf8) ==
        "newer");
}

TEST_CASE("a place moves with what stands around it") {
  const Relocation inserted("call()\nother()", "# a\ncall()\nother()");
  CHECK(inserted({7, 12}).begin == 11);
  CHECK(inserted({7, 12}).end == 16);
  const Relocation appended("call()", "call()  # why");
  CHECK(appended({0, 4}).end == 4);
  const Relocation cut("abcdef", "af");
  CHECK(cut({2, 4}).begin == 1);
  CHECK(cut({2, 4}).end == 1);
}

TEST_CASE("URIs and paths turn into each other") {
  CHECK(path_of_uri("file:///a%20b/%C3%A9.py") == "/a b/é.py");
  CHECK(path_of_uri(uri_of_path("/a b/é#?.py")) == "/a b/é#?.py");
  CHECK(path_of_uri("untitled:one").empty());
  CHECK(path_of_uri("file:///a%00b").empty());
  CHECK(path_of_uri("file:///50%").substr(0, 4) == "/50%");
}

}  // namespace
}  // namespace ranklint::app::lsp
