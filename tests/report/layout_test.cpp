#include <catch2/catch.hpp>

#include "app/report/excerpt.h"
#include "app/report/lanes.h"
#include "app/report/text_layout.h"
#include "app/report/unicode.h"
#include "app/report/uri.h"

namespace ranklint::test {

using namespace report;

namespace {

std::string shown(const Lines& lines) { return paint(lines, false); }

}  // namespace

TEST_CASE("wide characters take two columns and combining marks none") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("数据") == 4);
  CHECK(display_width("🚀") == 2);
  CHECK(display_width("e\u0301") == 1);
}

TEST_CASE("an emoji is two UTF-16 units and one code point") {
  CHECK(count_utf16_units("a🚀") == 3);
  CHECK(count_code_points("a🚀") == 2);
}

TEST_CASE("a broken byte is one character and shown as such") {
  CHECK(count_code_points("a\xff\xc3") == 3);
  CHECK(printable("a\xff") == "a\uFFFD");
  CHECK(printable("\xed\xa0\x80").size() == 9);  // a surrogate is no character
}

TEST_CASE("a control character never reaches the terminal") {
  CHECK(printable("\x1b[31m") == "\uFFFD[31m");
  CHECK(printable("\u202E") == "\uFFFD");
}

TEST_CASE("text wraps at spaces with a hanging indentation") {
  CHECK(shown(wrapped({{"help: keep the handle and wait"}}, 16, 6)) ==
        "help: keep the\n      handle and\n      wait\n");
}

TEST_CASE("a word wider than the line is cut") { CHECK(shown(wrapped({{"abcdefghijkl"}}, 8)) == "abcdefgh\nijkl\n"); }

TEST_CASE("an underline stands below its text behind tabs and wide characters") {
  const SourceText file("\tx = \"数\" + f()\n");
  CHECK(shown(excerpt(file, {{{1, 14, 1, 17}, "here", '^'}}, 3, 80)) ==
        "  1 |     x = \"数\" + f()\n"
        "    |                ^^^ here\n");
}

TEST_CASE("two marks of one line have a row each") {
  const SourceText file("if a and b:\n");
  CHECK(shown(excerpt(file, {{{1, 10, 1, 11}, "two"}, {{1, 4, 1, 5}, "one"}}, 3, 80)) ==
        "  1 | if a and b:\n"
        "    |    - one\n"
        "    |          - two\n");
}

TEST_CASE("lines between marks are left out when they are many") {
  const SourceText file("a\nb\nc\nd\ne\nf\ng\n");
  CHECK(shown(excerpt(file, {{{1, 1, 1, 2}}, {{3, 1, 3, 2}}, {{7, 1, 7, 2}}}, 3, 80)) ==
        "  1 | a\n    | -\n  2 | b\n  3 | c\n    | -\n...\n  7 | g\n    | -\n");
}

TEST_CASE("a range behind its line or of no width is still shown") {
  const SourceText file("ab\n\n");
  CHECK(shown(excerpt(file, {{{1, 9, 1, 12}}}, 3, 80)) == "  1 | ab\n    |   -\n");
  CHECK(shown(excerpt(file, {{{1, 1, 1, 1}}}, 3, 80)) == "  1 | ab\n    | -\n");
  CHECK(shown(excerpt(file, {{{2, 1, 0, 0}}}, 3, 80)) == "  2 |\n    | -\n");
  CHECK(excerpt(file, {{{5, 1, 5, 2}}}, 3, 80).empty());
}

TEST_CASE("no line of an excerpt is wider than asked") {
  const std::string bytes = std::string(200, 'x') + "数据" + std::string(200, 'y') + "\n";
  const SourceText file(bytes);  // a view of them
  for (uint32_t column = 1; column < 405; column += 7)
    for (const Line& line : excerpt(file, {{{1, column, 1, column + 30}, "a label of some length"}}, 3, 60))
      CHECK(width_of(line) <= 60);
}

TEST_CASE("no line of the lanes is wider than asked") {
  Witness witness;
  WitnessStep step{WitnessStep::Kind::Call,
                   {"a/long_file_name.py", {123, 1, 123, 2}},
                   "calls `a_function_of_a_long_name`",
                   "f",
                   3,
                   "",
                   ""};
  witness.lanes = {{"rank 0", {step, step}, "waits for ranks 1..3"},
                   {"ranks 1..3", {step}, "never calls `all_reduce`"}};
  for (unsigned width = 36; width < 130; ++width)
    for (const Line& line : lanes(witness, width, Style::Error)) CHECK(width_of(line) <= width);
}

TEST_CASE("files of one name are told apart by their folder") {
  Witness witness;
  const auto step = [](const char* path) {
    return WitnessStep{WitnessStep::Kind::Call, {path, {1, 1, 1, 2}}, "calls `f`", "f", 0, "", ""};
  };
  witness.lanes = {{"rank 0", {step("a/utils.py"), step("b/utils.py"), step("b/main.py"), step("c/__init__.py")}, ""}};
  const std::string text = shown(lanes(witness, 80, Style::Error));
  CHECK(text.find("a/utils.py:1") != text.npos);
  CHECK(text.find("b/utils.py:1") != text.npos);
  CHECK(text.find("b/main.py:1") == text.npos);
  CHECK(text.find("c/__init__.py:1") != text.npos);
}

TEST_CASE("paths become URIs") {
  CHECK(uri_path("./a b/ü#%.py") == "a%20b/%C3%BC%23%25.py");
  CHECK(folder_uri("/home/me") == "file:///home/me/");
  CHECK(file_uri("/home/me/a.py") == "file:///home/me/a.py");
}

}  // namespace ranklint::test
