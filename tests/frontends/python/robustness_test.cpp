// Any bytes make a module that the verifier accepts.
#include <catch2/catch.hpp>

#include <random>

#include "analyzer/ir/print.h"
#include "frontends/python/frontend.h"
#include "tests/frontends/checked.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

ir::Module lower(std::string_view source) {
  ir::Module module = lower_python("test.py", source);
  INFO(source.substr(0, 400));
  CHECK(complaints(module) == "");
  return module;
}

std::string without_locations(const ir::Module& module) { return ir::print(module, {.locations = false, .facts = {}}); }

std::string repeat(std::string_view text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

size_t calls(const ir::Module& module) {
  size_t count = 0;
  for (const ir::Function& f : module.functions)
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions) count += i.kind == ir::InstructionKind::Call;
  return count;
}

}  // namespace

TEST_CASE("deep nesting becomes unknown, and what stands behind it is still lowered") {
  const size_t depth = 20'000;
  for (const auto& [open, close] : {std::pair("(", ")"),
                                    {"[", "]"},
                                    {"f(", ")"},
                                    {"not ", ""},
                                    {"-", ""},
                                    {"lambda: ", ""},
                                    {"(a if b() else ", ")"},
                                    {"(lambda x=", ": x)"},
                                    {"{1: ", "}"},
                                    {"f'{", "}'"},
                                    {"[x for x in ", "]"},
                                    {"(yield ", ")"}}) {
    INFO(open);
    const ir::Module module = lower("x = " + repeat(open, depth) + "1" + repeat(close, depth) + "\nlast()\n");
    CHECK_FALSE(module.functions.empty());
  }
  const ir::Module module = lower("x = " + repeat("f(", 1000) + "1" + repeat(")", 1000) + "\nlast()\n");
  CHECK(module.unknown_count >= 1);
  CHECK(without_locations(module).find("call last()") != std::string::npos);
}

TEST_CASE("long chains are lowered whole") {
  const size_t length = 5'000;
  CHECK(lower("x = a" + repeat(".b", length)).unknown_count == 0);
  CHECK(lower("x = a" + repeat(" + b", length)).unknown_count == 0);
  CHECK(lower("x = a" + repeat(" and b", length)).unknown_count == 0);
  CHECK(lower("x = a" + repeat(" < b", length)).unknown_count == 0);
  const ir::Module called = lower("x = a" + repeat(".b()", length));
  CHECK(called.unknown_count == 0);
  CHECK(calls(called) == length);
  const ir::Module branches = lower("if a: f()\n" + repeat("elif b: f()\n", length) + "else: f()\n");
  CHECK(branches.unknown_count == 0);
  CHECK(calls(branches) == length + 2);
}

TEST_CASE("deeply nested statements end") {
  std::string source;
  for (size_t i = 0; i < 300; ++i) source += std::string(i, ' ') + "if a:\n";
  source += std::string(300, ' ') + "f()\n";
  CHECK(lower(source).unknown_count >= 1);
  // Each level doubles the copies of what it holds.
  std::string finals;
  for (size_t i = 0; i < 90; ++i) finals += std::string(i, ' ') + "try: g()\n" + std::string(i, ' ') + "finally:\n";
  finals += std::string(90, ' ') + "f()\n";
  lower(finals);
}

TEST_CASE("a byte order mark, CRLF and form feeds do not change what a file means") {
  const std::string source = "def f(x):\n    if x:\n        g(x)\n    return 'a'\n";
  const std::string expected = without_locations(lower(source));
  CHECK(without_locations(lower("\xEF\xBB\xBF" + source)) == expected);
  std::string crlf;
  for (const char c : source) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(without_locations(lower(crlf)) == expected);
  CHECK(without_locations(lower("\f" + source + "\f\n")) == expected);
  CHECK(without_locations(lower(source + "# no newline at the end")) == expected);
}

TEST_CASE("NUL bytes and invalid UTF-8 are read over") {
  using namespace std::string_literals;
  CHECK(calls(lower("f()\nx = 'a\xff\xfe'\ng()\n"s)) == 2);
  CHECK(calls(lower("f() # \xc3\x28 \xe2\x82\ng()\n"s)) == 2);
  lower("f()\n\0g()\n\0\0"s);
  lower("\0"s);
  lower(
      "\xff\xfe"
      "f\0(\0)\0"s);
  lower("");
  lower("\n");
}

TEST_CASE("a file cut anywhere still makes a module") {
  std::mt19937 random(1);  // the same cuts in each run
  for (const auto& path : files_below(source_path("testdata/frontends/python"), ".py")) {
    const std::string source = read_file(path);
    for (int i = 0; i < 40; ++i) lower(source.substr(0, random() % (source.size() + 1)));
    for (int i = 0; i < 40; ++i) {
      std::string broken = source;
      broken.erase(random() % broken.size(), 1 + random() % 8);
      lower(broken);
    }
  }
}

}  // namespace ranklint::test
