// What a module tells beside its functions: pragmas, diagnostics, ranges.
#include <catch2/catch.hpp>

#include <thread>

#include "analyzer/ir/print.h"
#include "frontends/python/frontend.h"

namespace ranklint::test {

TEST_CASE("a pragma keeps its text and whether it has a line of its own") {
  const ir::Module module = lower_python("t.py",
                                         "# ranklint: allow a-rule\n"
                                         "f()  #ranklint:  allow b-rule, c-rule  \n"
                                         "# about ranklint: nothing\n"
                                         "x = '# ranklint: not a comment'\n");
  REQUIRE(module.pragmas.size() == 2);
  CHECK(module.pragmas[0].text == "allow a-rule");
  CHECK(module.pragmas[0].own_line);
  CHECK(module.pragmas[0].range == SourceRange{1, 1, 1, 25});
  CHECK(module.pragmas[1].text == "allow b-rule, c-rule");
  CHECK_FALSE(module.pragmas[1].own_line);
}

TEST_CASE("a pragma may stand behind what a comment says to others, and begins where it begins") {
  const ir::Module module =
      lower_python("t.py", "f()  # noqa: E501  # ranklint: allow a-rule\ng()  # see x#ranklint: nothing\n");
  REQUIRE(module.pragmas.size() == 1);
  CHECK(module.pragmas[0].text == "allow a-rule");
  CHECK(module.pragmas[0].range == SourceRange{1, 20, 1, 44});
}

TEST_CASE("a syntax error is a diagnostic with its place, and counts as unknown") {
  const ir::Module module = lower_python("t.py", "f()\nx = = 1\ng()\n");
  REQUIRE(module.diagnostics.size() >= 1);
  CHECK(module.diagnostics[0].range.line == 2);
  CHECK(module.unknown_count >= 1);
  const std::string text = ir::print(module, {.locations = false, .facts = {}});
  CHECK(text.find("call f()") != std::string::npos);
  CHECK(text.find("call g()") != std::string::npos);
}

TEST_CASE("columns count bytes, behind a byte order mark too") {
  const ir::Module module = lower_python("t.py",
                                         "\xEF\xBB\xBF"
                                         "f('\xc3\xa9'); g()\n");
  const auto& instructions = module.functions[ir::FunctionId{0}].blocks[ir::BlockId{0}].instructions;
  REQUIRE(instructions.size() == 2);
  CHECK(instructions[0].range == SourceRange{1, 4, 1, 11});
  CHECK(instructions[1].range == SourceRange{1, 13, 1, 16});
}

TEST_CASE("a method belongs to its class, and sees the locals of the function around the class") {
  const ir::Module module = lower_python("t.py", "def make():\n  class A:\n    def f(self): pass\n");
  REQUIRE(module.classes.size() == 1);
  const ir::Class& a = module.classes[ir::ClassId{0}];
  CHECK(module.text(a.qualified_name) == "make.A");
  REQUIRE(a.methods.size() == 1);
  const ir::Function& f = module.functions[a.methods[0]];
  CHECK(f.owner == ir::ClassId{0});
  REQUIRE(f.parent.valid());
  CHECK(module.text(module.functions[f.parent].name) == "make");
}

TEST_CASE("files are lowered on several threads with the result of one") {
  const std::string source = "def f(x):\n  return [g(y) for y in x if y and h(y)]\n";
  const std::string expected = ir::print(lower_python("t.py", source));
  std::vector<std::string> results(8);
  {
    std::vector<std::jthread> threads;
    for (std::string& result : results)
      threads.emplace_back([&result, &source] { result = ir::print(lower_python("t.py", source)); });
  }
  for (const std::string& result : results) CHECK(result == expected);
}

}  // namespace ranklint::test
