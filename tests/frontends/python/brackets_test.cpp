// Long brackets, read in pieces: as the same tree as without cuts.
#include "frontends/python/brackets.h"

#include <catch2/catch.hpp>

#include "frontends/python/syntax.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

constexpr size_t kUncut = SIZE_MAX;

// A tree in a text of its own: a node a line, with its place.
std::string written(const python::SyntaxTree& tree) {
  std::string text;
  for (const python::Node& n : tree.nodes)
    text += std::to_string(static_cast<int>(n.kind)) + " " + std::to_string(static_cast<int>(n.field)) + " " +
            std::to_string(n.begin) + "-" + std::to_string(n.end) + " " + std::to_string(n.size) +
            (n.emits ? " emits\n" : "\n");
  for (const ir::Pragma& p : tree.pragmas)
    text += p.text + " " + std::to_string(p.range.line) + ":" + std::to_string(p.range.column) + "-" +
            std::to_string(p.range.end_column) + (p.own_line ? " own\n" : "\n");
  return text;
}

std::vector<std::string> pieces_of(const std::string& text, size_t longest) {
  std::vector<std::string> pieces;
  for (const python::LongBracket& b : python::long_brackets_of(text, longest))
    for (size_t i = 0; i < b.cuts.size(); ++i)
      pieces.push_back(text.substr(b.cuts[i], (i + 1 < b.cuts.size() ? b.cuts[i + 1] : b.close) - b.cuts[i]));
  return pieces;
}

using Pieces = std::vector<std::string>;

}  // namespace

TEST_CASE("a long bracket is cut after its own commas") {
  CHECK(pieces_of("x = [1, 2, 3]", 4) == Pieces{" 3"});
  CHECK(pieces_of("x = [1, 2, 3]", 2) == Pieces{" 2,", " 3"});
  CHECK(pieces_of("x = [1, 2, 3,]", 2) == Pieces{" 2,", " 3,", ""});
  CHECK(pieces_of("f((1, 2), '3,4', [5])", 6) == Pieces{" '3,4',", " [5]"});
  CHECK(pieces_of("x = [1, # 2, 3]\n 4]", 2) == Pieces{" # 2, 3]\n 4"});
}

TEST_CASE("a long bracket within the first piece of another one is cut, too") {
  CHECK(pieces_of("{'a': [1, 2, 3], 'b': [4, 5, 6]}", 5) == Pieces{" 'b': [4, 5, 6]", " 3"});
}

TEST_CASE("a bracket whose commas may separate something else than elements is left whole") {
  CHECK(pieces_of("x = [y for a, b in c]", 2).empty());
  CHECK(pieces_of("f(lambda a, b: a, 1)", 2).empty());
  CHECK(pieces_of("with (a as b, c as d): pass", 2).empty());
  CHECK(pieces_of("with (a, b): pass", 2).empty());
  CHECK(pieces_of("x = 'a, b', \"[c, d]\", e", 2).empty());
}

TEST_CASE("a bracket that is read in pieces makes the tree that it makes whole") {
  const char* const sources[] = {
      "x = [1, 2, 3]\n",
      "x = (1, 2, 3)\ny = (4, f(5),)\nz = {6, g(7), 8, # ranklint: ignore\n 9,\n # ranklint: why\n}\n",
      "x = {'a': [1, f(2), 3], **b, 'c': {'d': (4, 5), 'e': {6, 7}}}\n",
      "def f():\n    return g(1, *a, k=2, **b)\n\n\n@d(1, 2, [3, 4])\nclass C(A, B, metaclass=M): pass\n",
      "x = [lambda a, b: f(a), 1, 2], [i for i, j in k], {a: b for a, b in c}, f(i for i, j in k)\n",
      "x[1, 2, 3:4, 5] = [a, b, c][0], (yield a, b)\n[a, b, c] = (d, e, f) = g\nfor (a, b, c) in d: pass\n",
      "x = [\n  1, # ranklint: one\n  2, 3] # ranklint: two\ny = ['a' 'b', f'{a, b, c}', \"\"\"d,\n\"\"\", e]\n",
      "x = [lambda: f([g(1), h(2), 3]), 4, 5]\n",
      "x = [1, 2\n,3 ,\n*y, z := 4, (5), (6,), (), [], {}, ...]\n",
      "x = [1, 2, 3\ny = [4, , 5]\n",
      "print (1, 2, 3)\nprint >>f, (1, 2, 3)\nexec(a, b, c)\nprint(a, b, c, file=d)\n",
      "from a import (b, c, d)\nimport x\ndef f(a, b=(1, 2, 3), *c, d): pass\ndel (a, b, c)\nassert (a, b), (c, d)\n",
      "match x:\n    case [a, b, c]: pass\n    case C(a, b, k=c): pass\nwith (a as b, c as d): pass\n",
  };
  for (const std::string source : sources)
    for (const size_t longest : {1, 2, 4, 7, 12}) {
      INFO(longest << ": " << source);
      CHECK(written(python::parse_syntax(source, longest)) == written(python::parse_syntax(source, kUncut)));
    }
}

TEST_CASE("every file of the tests' programs is the same tree in pieces") {
  for (const char* const folder : {"testdata/frontends/python", "testdata/rules"})
    for (const auto& path : files_below(source_path(folder), ".py")) {
      const std::string source = read_file(path);
      INFO(path);
      CHECK(written(python::parse_syntax(source, 8)) == written(python::parse_syntax(source, kUncut)));
    }
}

}  // namespace ranklint::test
