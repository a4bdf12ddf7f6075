// Valid Python that the grammar misreads is read all the same, and to the same IR as another way to write it.
#include <catch2/catch.hpp>

#include "analyzer/ir/print.h"
#include "frontends/python/frontend.h"
#include "frontends/python/respelling.h"
#include "frontends/python/strings.h"

namespace ranklint::test {

namespace {

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  const size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

std::string read(const std::string& source) {
  const ir::Module module = lower_python("t.py", source);
  INFO(source);
  CHECK(module.diagnostics.empty());
  CHECK(module.unknown_count == 0);
  return ir::print(module, {.locations = false, .facts = {}});
}

}  // namespace

TEST_CASE("a star may stand before any operand, outside of brackets and in subscripts") {
  const std::string operand = GENERATE("a", "a.b[0]", "f(x)", "(a)", "(a,)", "(None,) * len(ys)", "[a] + b",
                                       "{1: 2}.keys()", "-a", "~a", "'s' * 2", "f's'", "None", "3", "(a).b(c)[d]",
                                       "[b for b in c]", "(b for b in c)", "f(x).y + [z]", "(\n        a)");
  struct Way {
    std::string bare, bracketed;
  };
  const Way way = GENERATE(
      Way{"    return 1, *@\n", "    return (1, *@)\n"}, Way{"    return *@, 1, *a\n", "    return (*@, 1, *a)\n"},
      Way{"    x = *@,\n", "    x = (*@,)\n"}, Way{"    x = y = *a, *@, *@\n", "    x = y = (*a, *@, *@)\n"},
      Way{"    x += 1, *@\n", "    x += (1, *@)\n"}, Way{"    yield *@, g(x)\n", "    yield (*@, g(x))\n"},
      Way{"    for i in *@, 1: h(i)\n", "    for i in (*@, 1): h(i)\n"},
      Way{"    return x[1, *@]\n", "    return x[(1, *@)]\n"}, Way{"    return x[*@]\n", "    return x[(*@,)]\n"},
      Way{"    y = 1, *@  # *(why)\n", "    y = (1, *@)\n"});
  const auto whole = [&](std::string line) {
    while (line.find('@') != std::string::npos) line = replaced(line, "@", operand);
    return "def g(x, ys):\n" + line + "    after(x)\n";
  };
  CHECK(read(whole(way.bare)) == read(whole(way.bracketed)));
}

TEST_CASE("defaults of type parameters are read over") {
  CHECK(read("class C[T = int](B): pass\n") == read("class C[T](B): pass\n"));
  CHECK(read("class C[T: (int, str) = int, *Ts = *tuple[int, ...], **P = [int, f(x, y=1)]]:\n    def m(self): h()\n") ==
        read("class C[T: (int, str), *Ts, **P]:\n    def m(self): h()\n"));
  CHECK(read("async def f[T = dict[str, int],](x: T = 1) -> T: return x\n") ==
        read("async def f[T,](x: T = 1) -> T: return x\n"));
  CHECK(read("type X[T = int] = list[T]\n") == read("type X[T] = list[T]\n"));
}

TEST_CASE("in an annotation a subscript may be subscripted and may be a slice") {
  for (const std::string annotation : {"table[0][1]", "G[float, str][P, int]", "Final[:1]",
                                       "a.Annotated[List[int][int], 'why']", "C[int][int] | None"}) {
    CHECK(read("def f(x: " + annotation + " = 1) -> " + annotation + ": h(x)\n") ==
          read("def f(x: (" + annotation + ") = 1) -> (" + annotation + "): h(x)\n"));
    read("class A:\n    x: " + annotation + " = table[f(1)][2]\n");
  }
}

TEST_CASE("what newer versions of Python added is read") {
  for (const std::string source :
       {"x = f\"{a[\"b\"]} {f\"{f\"{1}\"}\"} {'\\n'.join(c)}\"\n", "x = f'{\n    a  # why\n    :>{w}}'\n",
        "x = f\"{a!r:{'x'}}\"\n",                               // PEP 701
        "x = t'{a!r:>{b}}' rt\"{c}\"\n", "x = T'''{\na}'''\n",  // PEP 750
        "try: f()\nexcept A, B: g()\n", "try: f()\nexcept* A, B: g()\n",
        "try: f()\nexcept* A as e: g()\n",                                                   // PEP 758, 654
        "def f[T: int, *Ts, **P](*args: *Ts) -> T: return args\n", "type X[T] = list[T]\n",  // PEP 695, 646
        "def f():\n    while x:\n        try: g()\n        finally: continue\n",             // PEP 765 warns of it
        "with (open(a) as b, c() as d,): pass\n", "match x, *y:\n    case {'a': [1, *r], **k} if r: pass\n",
        "f(a := 1)[b := 2]\n"})
    read(source);
}

TEST_CASE("what is put back lies where the source has it") {
  const ir::Module module = lower_python("t.py", "def f(x):\n    return 1, *(\n      g(x),), table[h(x)]\n");
  CHECK(module.diagnostics.empty());
  const std::string text = ir::print(module, {.locations = true, .facts = {}});
  CHECK_THAT(text, Catch::Contains("call g(x) @3:7-3:11") && Catch::Contains("call h(x) @3:21-3:25"));
}

TEST_CASE("within brackets a line may be indented less than its statement") {
  const std::string statement =
      GENERATE("x = (a +\n@b)", "x = (a.\n@b(c))", "f(a=\n@b)", "x = [a for\n@b in c]", "x = [a for b\n@in c]",
               "x = (a if\n@b else c)", "x = (a and  # why (\n@b)", "x = (lambda\n@a: b)", "x = {a:\n@b, **\n@c}",
               "f(*\n@b)", "x = (y :=\n@b)", "x = (a not\n@in b)", "def g(a:\n@int =\n@1): pass",
               "class C(a=\n@b): pass", "from a import (\n@b as\n@c)", "with (a as\n@b): pass", "if (a ==\r\n@b): h()",
               "x = f(\"\"\"\n  a\"\"\",\n@*\n@b)");
  const auto whole = [&](const std::string& indent) {
    std::string text = statement;
    while (text.find('@') != std::string::npos) text = replaced(text, "@", indent);
    return "if a:\n    " + text + "\n    after(x)\n";
  };
  CHECK(read(whole("  ")) == read(whole("            ")));
  CHECK(read(whole("")) == read(whole("            ")));
}

TEST_CASE("a comment within brackets still speaks to ranklint, and a bracket that stays open changes nothing") {
  const ir::Module module =
      lower_python("t.py", "if a:\n    x = (a +  # ranklint: allow a-rule\n  b)\n    f(x)  # ranklint: allow b-rule\n");
  CHECK(module.diagnostics.empty());
  REQUIRE(module.pragmas.size() == 2);
  CHECK(module.pragmas[0].range.line == 2);
  const ir::Module broken = lower_python("t.py", "if a:\n    x = (a +\n    f(x)\n    g(x)\n");
  CHECK_FALSE(broken.diagnostics.empty());
}

TEST_CASE("another spelling has the same length, and nothing else is changed") {
  const python::Respelling all = python::respelling_of(
      "class C[T = (1,\n 2)]: pass\nx = *(a), b[0][1], a.c[d], 'e[0] *(f)', g * (h), in_[i], not [j]  # *(k)\n");
  CHECK(all.text ==
        "class C[T          ]: pass\nx =  (a), 1[0][1], a.c[d], 'e[0] *(f)', g * (h), 111[i], not [j]  # *(k)\n");
  CHECK(all.stars.size() == 1);
  CHECK(all.names.size() == 2);
  CHECK(python::respelling_of("f(a,  # (\n  b)\n").text == "f(a,        b)\n");
  CHECK_FALSE(python::respelling_of("def f(*, a, **k): g(*(a), **k); return lambda *, b: a * (b) ** -c\nfrom a import "
                                    "*\ntry: f()\nexcept* (A, B): g()\n")
                  .changed);
}

TEST_CASE("a string ends where its quotes and braces say") {
  const auto rest = [](std::string_view text) {
    return std::string(text.substr(python::StringReader(text).end_of(text.find_first_of("'\""))));
  };
  CHECK(rest("'a\\'b' c") == " c");
  CHECK(rest("'''a'b''' c") == " c");
  CHECK(rest("f\"{a[\"b\"]}\" c") == " c");
  CHECK(rest("f\"{'\"'}\" c") == " c");
  CHECK(rest("rf'''{f'{a!r:>{b[':']}}'}''' c") == " c");
  CHECK(rest("f'{{' c") == " c");
  CHECK(rest("f'{a:\"<5}' c") == " c");
  CHECK(rest("f'{a # ' \n }' c") == " c");
  CHECK(rest("'{' c") == " c");
  CHECK(rest("buf'{' c") == " c");
  CHECK(rest("f'{a' c") == " c");
}

TEST_CASE("a quote within the braces of a formatted string hides no definition") {
  const ir::Module module =
      lower_python("t.py", "x = f\"{'\"\"\"'}\"\ndef f(x): pass\ny = f'''{f(\"'''\")}'''\ndef g(x): pass\n");
  CHECK(module.diagnostics.empty());
  CHECK(module.functions.size() == 3);
}

}  // namespace ranklint::test
