// A file is parsed in sections: each mistake stays in its own, and the whole is what one parse of it would be.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "analyzer/ir/print.h"
#include "frontends/python/frontend.h"
#include "frontends/python/sections.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

using Sections = std::vector<std::string_view>;

bool calls(const ir::Module& module, std::string_view call) {
  return ir::print(module).find(call) != std::string::npos;
}

std::string printed(const ir::Module& module) {
  std::string text = ir::print(module, {.locations = true, .facts = {}});
  for (const ir::Diagnostic& d : module.diagnostics)
    text += std::to_string(d.range.line) + ":" + std::to_string(d.range.column) + " " + d.message + "\n";
  for (const ir::Pragma& p : module.pragmas)
    text += std::to_string(p.range.line) + " " + p.text + (p.own_line ? " alone\n" : "\n");
  return text;
}

size_t count_of(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a file is cut in front of definitions at the left margin, with their decorators") {
  CHECK(python::sections_of("") == Sections{""});
  CHECK(python::sections_of("import a\n\ndef f():\n  pass\nx = 1\nclass A:\n  def g(self): pass\n") ==
        Sections{"import a\n\n", "def f():\n  pass\nx = 1\n", "class A:\n  def g(self): pass\n"});
  CHECK(python::sections_of("\n\ndef f(): pass\nasync  def g(): pass\n") ==
        Sections{"\n\ndef f(): pass\n", "async  def g(): pass\n"});
  CHECK(python::sections_of("@a\n@b(\n1,\n)\n# why\nclass A: pass\n@c\ndef f(): pass\n") ==
        Sections{"@a\n@b(\n1,\n)\n# why\nclass A: pass\n", "@c\ndef f(): pass\n"});
}

TEST_CASE("what only looks like a definition cuts nothing") {
  for (const std::string source :
       {"a = 1\ndefault = 2\nclassic = 3\nasync_ = 4\n", "a = '''\ndef f(): pass\n'''\n",
        "a = \"\"\"'\nclass A: pass\n\\\"\"\"\ndef x\n\"\"\"\n", "a = (1\n@ b)\n", "a = 'x\\\ndef f'\n"})
    CHECK(python::sections_of(source) == Sections{source});
}

TEST_CASE("a quote in a comment and one that is not closed hide no definition") {
  CHECK(python::sections_of("# it's \"\"\"\ndef f(): pass\n").size() == 2);
  CHECK(python::sections_of("x = 'half\ndef f(): pass\n").size() == 2);
  CHECK(python::sections_of("x = g(1, [\ndef f(): pass\n@a\nclass B: pass\n").size() == 3);
}

TEST_CASE("a bracket that is still open reaches no further than its function") {
  const ir::Module module =
      lower_python("t.py", "def f(x):\n    if (x == \n\ndef g(x):\n    h(x)\n\n@d\ndef k(x):\n    m(x)\n");
  CHECK(calls(module, "call h(x)"));
  CHECK(calls(module, "call m(x)"));
  CHECK(module.diagnostics.size() == 1);
}

TEST_CASE("a long section is cut between its statements, and nothing is lost") {
  const std::string statements =
      "if a(1):\n    b()\n# why\nelif a(2): c()\nelse:\n    d()\ntry:\n    e()\nexcept (A, B):\n    f()\nelse :\n  "
      "h()\nfinally:\n    i()\n"
      "try:\n  g()\nexcept* C: p()\nx = j(\n1,\nk(2)\n)\ny = l() + \\\nm() \\\r\n+ n()\nz = o('''\nif "
      "g():\n''')\nwhile q():\n    r()\nelse:\n    s()\nelsewhere = t()\n";
  std::string source;
  while (source.size() < 200'000) source += statements;
  const size_t copies = source.size() / statements.size();

  const Sections sections = python::sections_of(source);
  CHECK(sections.size() >= 5);
  std::string together;
  for (const std::string_view section : sections) together += section;
  CHECK(together == source);

  const ir::Module module = lower_python("t.py", source);
  CHECK(module.diagnostics.empty());
  const std::string once = ir::print(lower_python("t.py", statements)), all = ir::print(module);
  for (const char name : std::string("abcdefghijklmnopqrst")) {
    const std::string call = std::string("call ") + name + "(";
    INFO(call);
    CHECK(count_of(once, call) > 0);
    CHECK(count_of(all, call) == copies * count_of(once, call));
  }
}

TEST_CASE("a long section is cut neither inside of brackets nor between decorators and what they belong to") {
  std::string elements;
  while (elements.size() < 100'000) elements += "f(1),\n";
  CHECK(python::sections_of("x = [\n" + elements + "]\n").size() == 1);
  CHECK(python::sections_of("@d(\n" + elements + ")\n# why\nclass A: pass\n").size() == 1);
}

TEST_CASE("a text that is read again makes the module that it makes by itself") {
  std::mt19937 random(3);  // the same edits in each run
  PythonReader reader;
  for (const auto& path : files_below(source_path("testdata/frontends/python"), ".py")) {
    std::string source = read_file(path);
    for (int i = 0; i < 30; ++i) {
      INFO(path << "\n" << source);
      REQUIRE(printed(reader.lower("t.py", source)) == printed(lower_python("t.py", source)));
      const size_t at = random() % (source.size() + 1);
      if (i % 3 == 0)
        source.erase(at, random() % 9);
      else
        source.insert(at, i % 3 == 1 ? "\ndef f(\n" : "  # ranklint: allow x\n");
    }
  }
}

}  // namespace ranklint::test
