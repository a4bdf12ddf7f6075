#include "analyzer/ir/parse.h"

#include <catch2/catch.hpp>

#include "analyzer/ir/equal.h"
#include "analyzer/ir/print.h"
#include "analyzer/ir/words.h"
#include "tests/ir/ir_text.h"

namespace ranklint::test {

// "line:column: message", or nothing for a text that parses.
static std::string error_of(std::string_view text) {
  const Result<ir::Module> module = ir::parse(text);
  if (module) return "";
  const Error& e = module.error();
  return std::to_string(e.line) + ":" + std::to_string(e.column) + ": " + e.message;
}

// The error in line 8, the first of f's block.
static std::string error_in(std::string_view line) { return error_of(text_with(std::string(line) + "\n  return\n")); }

TEST_CASE("an error has its line and column") {
  CHECK(error_in("  x = a +") == "8:10: expected an expression");
  CHECK(error_in("  x = (a") == "8:9: expected `,`");
  CHECK(error_in("  x 1") == "8:5: expected `=`");
  CHECK(error_in("  x = a b") == "8:9: expected the end of the line");
  CHECK(error_in("  branch a ? ^entry") == "8:20: expected `:`");
  CHECK(error_in("  jump ^nowhere") == "8:8: there is no block `^nowhere`");
  CHECK(error_in("  call = 1") == "8:8: expected an expression");
}

TEST_CASE("the path of the text is in its error") { CHECK(ir::parse("nonsense", "a.ir").error().path == "a.ir"); }

TEST_CASE("a module says how programs in its language work") {
  const ir::Module module = parsed("language \"made up\" one_namespace returns_errors\n");
  CHECK(module.has(ir::Convention::OneNamespace));
  CHECK(module.has(ir::Convention::ReturnsErrors));
  CHECK_FALSE(module.has(ir::Convention::SharesObjects));
  CHECK(ir::print(module).starts_with("language \"made up\" one_namespace returns_errors\n"));
  CHECK(error_of("language \"python\" is_slow") == "1:1: expected a convention");
  for (uint32_t c = 0; c < ir::convention_words().size(); ++c)
    CHECK(parsed("language \"\" " + std::string(ir::convention_words()[c]) + "\n").has(static_cast<ir::Convention>(c)));
}

TEST_CASE("words of the text form are no names unless they stand in backticks") {
  CHECK(error_in("  x = jump") ==
        "8:7: `jump` is a word of the text form; a name of that spelling stands in backticks");
  CHECK(error_in("  x = `jump`") == "");
  CHECK(error_in("  x = a.jump") == "");
}

TEST_CASE("comparisons do not chain") {
  CHECK(error_in("  x = a < b < c") != "");
  CHECK(error_in("  x = not a < b < c") != "");
  CHECK(error_in("  x = (a < b) < c") == "");
}

TEST_CASE("numbers, strings and ranges are read whole or not at all") {
  CHECK(error_in("  x = 1x2y") == "");  // what only C++ can spell counts as a float
  CHECK(error_in("  x = 0x") == "");
  CHECK(error_in("  x = \"a") != "");
  CHECK(error_in("  x = \"\\q\"") != "");
  CHECK(error_in("  x = \"\\x1\"") != "");
  CHECK(error_in("  x = 1 @1:2") == "8:13: expected a range as in `@12:10-12:20`");
  CHECK(error_in("  x = 1 @1:2-3:99999999999") != "");
}

TEST_CASE("a block ends in one terminator") {
  CHECK(error_of(text_with("  x = 1\n")) == "8:3: the last block has no terminator");
  CHECK(error_of(text_with("  return\n  return\n")) == "9:3: expected a label behind a terminator");
  CHECK(error_of(text_with("  x = 1\n^next:\n  return\n")) == "9:1: the block before has no terminator");
}

TEST_CASE("labels are unique in their function") {
  CHECK(error_of(text_with("  return\n^entry:\n  return\n")) == "9:1: there is a block `^entry` already");
}

TEST_CASE("a function has a block and an end") {
  CHECK(error_of("func f() {\n}\n") == "1:1: a function has one block at least");
  CHECK(error_of("func f() {\n^entry:\n  return\n") == "1:1: the closing `}` is missing");
}

TEST_CASE("a second bearer of a name carries its number") {
  const std::string f = "func f() {\n^entry:\n  return\n}\n";
  CHECK(error_of(f + f) == "5:6: this is number 2 of its name");
  CHECK(error_of(f + "func f#2() {\n^entry:\n  x = &f#2\n  return\n}\n") == "");
  CHECK(error_of("func f#2() {\n^entry:\n  return\n}\n") == "1:6: this is number 1 of its name");
  CHECK(error_in("  x = &f#2") == "8:11: there is no such function as `f`");
  CHECK(error_in("  x = class C") == "8:14: there is no such class as `C`");
}

TEST_CASE("parameters stand in Python's order") {
  const auto error = [](const std::string& list) { return error_of("func f(" + list + ") {\n^entry:\n  return\n}\n"); };
  CHECK(error("a, /, b, *c, d, **e") == "");
  CHECK(error("a, /,") != "");
  CHECK(error("/") != "");
  CHECK(error("a, /, b, /") != "");
  CHECK(error("*a, *b") != "");
  CHECK(error("*") != "");
  CHECK(error("*, **a") != "");
  CHECK(error("**a, b") != "");
}

TEST_CASE("what a class needs may stand below it") {
  const ir::Module module =
      parsed("class C(Base) {\n  scope make\n}\n" + text_with("  return\n") + "func make() {\n^entry:\n  return\n}\n");
  const ir::Class& c = module.classes[ir::ClassId{0}];
  CHECK(module.text(module.functions[c.scope].name) == "make");
  CHECK(ir::print_expr(module, module.functions[c.scope], c.bases.at(0)) == "Base");
  CHECK(error_of("class C() {\n}\n") == "1:1: a class wants a function that defines it");
  CHECK(error_of(text_with("  return\n") + "class C() {\n  scope g\n}\n") == "11:3: there is no such function");
}

TEST_CASE("white space, comments and line ends do not matter") {
  const ir::Module module = parsed(text_with("  x = f\n  return\n"));
  const std::string loose =
      "; a comment\r\nfunc   <module>( )  {\r\n ^entry :\r\nreturn ; none\r\n\r\n  }\r\n"
      "func f( x ){\n\n^entry: ; here\n\t x=f\nreturn\n}";
  CHECK(ir::difference(module, parsed(loose)) == "");
}

// How deep the expression `open...x...close` may nest.
static bool nests(size_t depth, const std::string& open, const std::string& close) {
  std::string line = "  y = ";
  for (size_t i = 0; i < depth; ++i) line += open;
  line += "x";
  for (size_t i = 0; i < depth; ++i) line += close;
  return error_in(line) == "";
}

TEST_CASE("the deepest tree that the IR allows can be read, whatever it is made of") {
  const std::pair<const char*, const char*> kinds[] = {
      {"[", "]"}, {"-", ""}, {"a + (", ")"}, {"not (a or ", ")"}, {"a if (", ") else b"}, {"{a: ", "}"}, {"f(k=", ")"}};
  for (const auto& [open, close] : kinds) {
    INFO(open);
    CHECK(nests(95, open, close));
    CHECK_FALSE(nests(201, open, close));
    CHECK_FALSE(nests(100000, open, close));
  }
  CHECK(nests(199, "a ** (b if (", ") else c)") == false);
  CHECK(nests(66, "a ** (b if (", ") else c)"));
  CHECK(nests(199, "[", "]"));
  CHECK_FALSE(nests(200, "[", "]"));
  CHECK_FALSE(nests(100000, "", " + x"));
  CHECK_FALSE(nests(100000, "", ".x"));
}

TEST_CASE("any bytes are acceptable") {
  CHECK(error_of("") == "");
  CHECK(error_of(std::string_view("\0\xff\xfe\n}{", 6)) != "");
  CHECK(error_of("}") != "");
  CHECK(error_of("func") != "");
  CHECK(error_of("async") != "");
  CHECK(error_of("func <\n}") != "");
  CHECK(error_of("class \n}") != "");
  CHECK(error_of("async class C() {\n}") != "");
  CHECK(error_of("unknowns 99999999999") != "");
}

}  // namespace ranklint::test
