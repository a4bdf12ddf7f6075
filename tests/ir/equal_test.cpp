#include "analyzer/ir/equal.h"

#include <catch2/catch.hpp>

#include "tests/ir/ir_text.h"

namespace ranklint::test {

static std::string difference_of(std::string_view a, std::string_view b) {
  return ir::difference(parsed(text_with(a)), parsed(text_with(b)));
}

TEST_CASE("modules are the same whatever the numbers of their symbols") {
  ir::Module numbered_apart = parsed(text_with("  return a + b\n"));
  ir::Module other;
  other.symbols.intern("b");
  CHECK(ir::difference(numbered_apart, parsed(text_with("  return a + b\n"))) == "");
  CHECK(ir::difference(numbered_apart, other) == "the number of functions");
}

TEST_CASE("a difference is named by its place") {
  CHECK(difference_of("  return a\n", "  return b\n") == "function f, ^entry, its terminator");
  CHECK(difference_of("  x = 1\n  return\n", "  x = 2\n  return\n") == "function f, ^entry, instruction 0");
  CHECK(difference_of("  x = 1\n  return\n", "  return\n") == "function f, ^entry, its head");
  CHECK(difference_of("  call f(1)\n  return\n", "  call f(a=1)\n  return\n") == "function f, ^entry, instruction 0");
  CHECK(difference_of("  return @1:1-1:2\n", "  return\n") == "function f, ^entry, its terminator");
}

TEST_CASE("heads, classes, annotations, pragmas and starts count") {
  const std::string text = text_with("  return\n");
  const std::string more[] = {"module \"m\"\n",   "unknowns 1\n",           "pragma \"p\"\n",  "diagnostic \"d\"\n",
                              "class C() {\n}\n", "annotation f: x: int\n", "start \"a.py\"\n"};
  for (const std::string& line : more) {
    INFO(line);
    CHECK(ir::difference(parsed(text), parsed(text + line)) != "");
  }
  CHECK(ir::difference(parsed(text + "class C(a) {\n}\n"), parsed(text + "class C(b) {\n}\n")) == "class C");
}

TEST_CASE("two expressions are the same tree if they are spelled alike") {
  const ir::Module module = parsed(text_with("  x = a.b[0]\n  x = a.b[0]\n  x = a.b[1]\n  return\n"));
  const ir::Function& f = module.functions[ir::FunctionId{1}];
  const CompactVector<ir::Instruction>& code = f.blocks[ir::BlockId{0}].instructions;
  CHECK(ir::same_tree(f, code[0].value, code[1].value));
  CHECK_FALSE(ir::same_tree(f, code[0].value, code[2].value));
}

}  // namespace ranklint::test
