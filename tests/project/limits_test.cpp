// Programs that grow without end somewhere: each is harmless to read and was, or would be, exponential or endless to
// analyse. A case tests that the analysis comes to its end, for which the suite has a time limit, and that it has
// judged the program or says what it left out. What a program may cost is measured in work, which is counted and the
// same on every machine (analyzer/base/work_limit.h).
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <string>

#include "analyzer/project/project.h"
#include "analyzer/project/shared.h"
#include "rules/rule.h"
#include "tests/project/python.h"

namespace ranklint {
namespace {

// `count` lines, each made from its number.
std::string lines(int count, const std::function<std::string(const std::string& i, const std::string& next)>& line) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line(std::to_string(i), std::to_string(i + 1)) + "\n";
  return text;
}

std::string times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

Analysis check_files(std::vector<SourceFile> files, std::vector<std::string> watched = {}) {
  const Models models = Models::builtin();
  Analysis analysis =
      analyze(std::move(files), models, python,
              {.threads = 1, .watched = std::move(watched), .passes = passes_of(all_rules()), .progress = {}});
  CHECK(analysis.broken.empty());
  REQUIRE(analysis.shared);
  return analysis;
}

Analysis check(const std::string& program, std::vector<std::string> watched = {}) {
  return check_files({{.path = "a.py", .bytes = "import torch.distributed as dist\n" + program}}, std::move(watched));
}

// To the end, and with so many mismatches.
void check_whole(const std::string& program, size_t mismatches) {
  const Analysis analysis = check(program);
  CHECK(analysis.incomplete.empty());
  CHECK(analysis.communicating_function_count > 0);
  CHECK(analysis.shared->mismatches.size() == mismatches);
}

TEST_CASE("calls that nest deeper than anybody follows end, and are judged where they stand") {
  const Analysis analysis =
      check(lines(2000, [](const std::string& i,
                           const std::string& next) { return "def f" + i + "(x):\n  return f" + next + "(x)"; }) +
            "def f2000(x):\n  if dist.get_rank() == 0:\n    dist.barrier()\n");
  CHECK(analysis.shared->mismatches.size() == 1);
  REQUIRE_FALSE(analysis.incomplete.empty());
  CHECK(analysis.incomplete[0].reason == IncompleteReason::DeepCalls);
}

TEST_CASE("terms that share their parts are asked once for each what they rest on") {
  const Analysis analysis = check("def f(x):\n  n = x\n" + times(60, "  n = n * (n - 1)\n") +
                                  "  if n % 7 == 0:\n    if dist.get_rank() == 0:\n      dist.barrier()\n");
  CHECK(analysis.shared->mismatches.size() == 1);
}

TEST_CASE("a chain of attributes costs as much as it is long") {
  const auto bytes_of_names = [](int links) {
    const Analysis analysis = check("x = a" + times(links, ".b") + "\n");
    const SymbolTable& names = analysis.shared->index->names();
    size_t bytes = 0;
    for (uint32_t s = 0; s < names.size(); ++s) bytes += names.text(Symbol{s}).size();
    return bytes;
  };
  CHECK(bytes_of_names(20000) < bytes_of_names(10000) * 2 + 1000);
}

TEST_CASE("a dictionary whose entries nest nearly too deeply goes through a loop") {
  for (int depth = 150; depth < 165; ++depth)
    check("def f(x, items):\n  deep = x" + times(depth, ".a") +
          "\n  table = {'a': deep, 'b': deep}\n  for i in items:\n    table['a'] = items[i]\n"
          "  if table['a'] > 0:\n    dist.barrier()\n");
}

TEST_CASE("a function whose terms nest without end is counted as not followed") {
  const Analysis analysis =
      check("def f(x):\n" + times(1000, "  x = x + (x - 1)\n") + "  if x == dist.get_rank():\n    dist.barrier()\n");
  REQUIRE(analysis.incomplete.size() == 1);
  CHECK(analysis.incomplete[0].reason == IncompleteReason::DeepTerms);
  CHECK(analysis.incomplete[0].function == "f");
  CHECK(analysis.incomplete[0].path == "a.py");
  CHECK(analysis.incomplete[0].line == 2);
}

TEST_CASE("choices between attributes of choices do not double with each line") {
  check_whole("def f(x, c):\n" +
                  lines(60, [](const std::string& i,
                               const std::string&) { return "  x = x.p" + i + " if c.a" + i + " else x.q" + i; }) +
                  "  x.go()\n  if x.z == dist.get_rank():\n    dist.barrier()\n",
              1);
}

TEST_CASE("a function whose group nests too deeply is judged, and listed as incomplete") {
  const Analysis analysis =
      check("def f(x, g, c):\n" +
            lines(200, [](const std::string& i,
                          const std::string&) { return "  g = g.p" + i + " if c.a" + i + " else g.q" + i; }) +
            "  if dist.get_rank(g) == 1:\n    dist.barrier(g)\n  dist.all_reduce(x, group=g)\n");
  CHECK(analysis.shared->mismatches.size() == 1);
  REQUIRE(analysis.incomplete.size() == 1);
  CHECK(analysis.incomplete[0].reason == IncompleteReason::DeepTerms);
}

TEST_CASE("a tuple of itself, a hundred times over, is a constant that is looked at once") {
  check_whole("def f(x):\n  a = (1, 2)\n" + times(100, "  a = (a, a)\n") +
                  "  dist.all_reduce(x, group=a)\n  if a == dist.get_rank():\n    dist.barrier()\n",
              1);
}

// Each line makes a term of the last one twice, so that sixty lines are 61 terms and 2^60 ways down. What asks for each
// term below each does so a number of times that is a square.
TEST_CASE("what has its parts in common is looked at once, whatever is asked of it") {
  const std::string start = "def average(x):\n  dist.all_reduce(x)\ndef f(a, b, c, x):\n  rank = dist.get_rank()\n";
  const auto doubled = [&](const std::string& first, const std::string& line, const std::string& use) {
    INFO(line + use);
    const auto work_of = [&](int count) {
      const std::string body = lines(count, [&](const std::string& i, const std::string&) {
        std::string numbered = "  " + line;
        for (size_t at; (at = numbered.find('#')) != numbered.npos;) numbered.replace(at, 1, i);
        return numbered;
      });
      const Analysis analysis = check(start + "  h = " + first + "\n" + body + use, watched_calls(all_rules()));
      CHECK(std::ranges::none_of(analysis.incomplete,
                                 [](const IncompleteFunction& f) { return f.reason == IncompleteReason::MuchWork; }));
      return analysis.work;
    };
    CHECK(work_of(60) < 5 * work_of(30));
  };
  const std::string each = "  if rank == 0:\n    for g in h:\n      g(x)\n";
  doubled("[average]", "h = h + h", each);
  doubled("[rank]", "h = h + h", "  for g in h:\n    dist.all_reduce(g)\n");
  doubled("a", "h = zip(h, h)", each);
  doubled("average", "h = h if b[#] else (h if c[#] else x)", "  if rank == 0:\n    h(x)\n");
  doubled("average", "h = h if rank == # else (h if c[#] else x)", "  if rank == 0:\n    h(x)\n");
  doubled("a", "h = h if b[#] else (h if c[#] else #)", "  if isinstance(h, str):\n    dist.barrier()\n");
  doubled("a", "h = h['dp'] if b[#] else h['tp']", "  if rank == 0:\n    dist.barrier(h)\n");
  doubled("rank == 0", "h = (h or b[#]) and (h or c[#])", "  if h:\n    dist.barrier()\n");
  doubled("rank + 1", "h = h * h", "  work(h)\n  if h == 3:\n    dist.barrier()\n");
  doubled("[rank]", "h = h + h", "  for peer in h:\n    dist.send(x, peer)\n");
  doubled("a", "h = {**h, 'x': average} if b[#] else {**h, 'y': x}",
          "  while a:\n    h['x'] = rank\n    a = a - 1\n  if h['y']:\n    dist.barrier()\n");
}

TEST_CASE("decorators whose arguments are decorated functions end") {
  const Analysis analysis = check("def deco(f):\n  def o(g):\n    return g\n  return o\n" +
                                  lines(3000, [](const std::string& i, const std::string& next) {
                                    return "@deco(f" + next + ")\ndef f" + i + "(x):\n  dist.barrier()";
                                  }));
  CHECK(analysis.communicating_function_count == 3000);
  REQUIRE(analysis.incomplete.size() == 1);
  CHECK(analysis.incomplete[0].reason == IncompleteReason::DeepCalls);
}

TEST_CASE("modules that import everything from each other are searched once") {
  // Each of the names is looked for in each module, by each of its imports.
  const auto work_of = [](int count) {
    std::vector<SourceFile> files;
    for (int i = 0; i < count; ++i) {
      const auto star = [](const std::string& other, const std::string&) { return "from m" + other + " import *"; };
      files.push_back(
          {.path = "m" + std::to_string(i) + ".py", .bytes = lines(count, star) + "def f(x):\n  nowhere(x)\n"});
    }
    return check_files(std::move(files)).work;
  };
  const uint64_t work = work_of(10);
  CHECK(work > 10 * 10 * 10);
  CHECK(work_of(20) < 9 * work);
}

TEST_CASE("a set that is made of itself in a loop has an end") {
  check_whole(
      "def f(b, q):\n  a = {1}\n  while q:\n    a = b + a\n"
      "  for k in set(a):\n    dist.broadcast(k, src=0)\n",
      0);
}

TEST_CASE("sets that are made of each other in a loop have an end") {
  std::string body;
  for (int i = 0; i < 400; ++i) {
    const std::string a = "a" + std::to_string(i / 20), b = "a" + std::to_string(i % 20),
                      c = "a" + std::to_string((i / 20 + i) % 20);
    body += "    if q.x" + std::to_string(i) + ":\n      " + a + " = " + b + " | " + c + "\n";
  }
  const std::string sets = lines(20, [](const std::string& i, const std::string&) { return "  a" + i + " = set(b)"; });
  const Analysis analysis =
      check("def f(b, q):\n" + sets + "  while q:\n" + body + "  for k in a0:\n    dist.broadcast(k, src=0)\n");
  CHECK(analysis.communicating_function_count == 1);
  REQUIRE(analysis.incomplete.size() == 1);
  CHECK(analysis.incomplete[0].reason == IncompleteReason::DeepTerms);
}

TEST_CASE("an object that holds objects of its own class has an end") {
  check_whole(
      "class N:\n  def __init__(self, n: 'N'):\n    self.n = N(self.n) if n else n.n.n.n\n"
      "  def go(self):\n"
      "    return N(N(self.n.n).n.go().n).go() if self.n == dist.get_rank() else dist.barrier()\n",
      1);
}

TEST_CASE("a class far down a chain of bases does not cost the chain for each name") {
  const auto work_of = [](int count) {
    const std::string chain = lines(count, [](const std::string& i, const std::string& next) {
      return "class C" + next + "(C" + i + "):\n  def n" + i + "(self):\n    self.m(); self.zz";
    });
    const Analysis analysis = check("class C0:\n  def m(self):\n    dist.barrier()\n" + chain);
    CHECK(analysis.incomplete.empty());
    CHECK(analysis.communicating_function_count > 0);
    return analysis.work;
  };
  CHECK(work_of(2000) * 10 < work_of(1000) * 25);
}

// A false negative, stated as it is today: `n` calls what it inherits from `A.B`.
TEST_CASE("a base that is named through a class is not followed") {
  const Analysis analysis = check(
      "class A:\n  class B:\n    def m(self):\n      dist.barrier()\n"
      "class C(A.B):\n  def n(self):\n    self.m()\n"
      "class D(C.B, A.m):\n  def o(self):\n    self.m()\n");
  CHECK(analysis.communicating_function_count == 1);  // `m`
  CHECK(analysis.incomplete.empty());
}

TEST_CASE("a body of thousands of branches over thousands of names is counted and not run") {
  const std::string names =
      lines(4000, [](const std::string& i, const std::string&) { return "  v" + i + " = x.a" + i; });
  const std::string branches =
      lines(4000, [](const std::string& i, const std::string&) { return "  if v" + i + ":\n    v0 = x.b" + i; });
  const Analysis analysis = check("def f(x):\n" + names + branches + "  dist.barrier()\n");
  REQUIRE(analysis.incomplete.size() == 1);
  CHECK(analysis.incomplete[0].reason == IncompleteReason::TooLarge);
}

TEST_CASE("a function with more ways through than anybody walks is counted, and the next one is judged all the same") {
  const auto side = [](const std::string& name) {
    return lines(80, [&](const std::string& i, const std::string&) {
      return "    if x." + name + i + ":\n      dist.barrier()";
    });
  };
  const Analysis analysis = check("def f(x):\n  if dist.get_rank() == 0:\n" + side("a") + "  else:\n" + side("b") +
                                  "def g(x):\n  if dist.get_rank() == 0:\n    dist.barrier()\n");
  REQUIRE(analysis.incomplete.size() == 1);
  CHECK(analysis.incomplete[0].reason == IncompleteReason::ManyPaths);
  const auto& found = analysis.shared->mismatches;
  CHECK(std::any_of(found.begin(), found.end(), [](const Mismatch& m) { return m.guard.line > 300; }));
}

TEST_CASE("a divergence with more ways than anybody walks does not hide the next one in its function") {
  const auto side = [](const std::string& name) {
    return lines(80, [&](const std::string& i, const std::string&) {
      return "      if x." + name + i + ":\n        dist.barrier()";
    });
  };
  const Analysis analysis = check("def f(x, y):\n  if y:\n    if dist.get_rank() == 0:\n" + side("a") + "    else:\n" +
                                  side("b") + "    return\n  if dist.get_rank() == 0:\n    dist.all_reduce(x)\n");
  REQUIRE(analysis.incomplete.size() == 1);
  const auto& found = analysis.shared->mismatches;
  CHECK(std::ranges::any_of(found, [](const Mismatch& m) { return m.guard.line > 320; }));
}

TEST_CASE("branches one after the other are as many places and not as many ways") {
  const Analysis analysis = check(
      "def f(x):\n" +
      lines(500, [](const std::string& i, const std::string&) { return "  if x.a" + i + ":\n    dist.barrier()"; }) +
      "  if dist.get_rank() == 0:\n    dist.barrier()\n");
  CHECK(analysis.incomplete.empty());
  REQUIRE(analysis.shared->mismatches.size() == 1);
  const Assurance& sure = analysis.shared->mismatches[0].certainty;
  CHECK(sure.doubts().empty());
  CHECK(sure.assumptions().empty());  // none of the decisions before matters
}

TEST_CASE("what a branch before decides is asked where it matters") {
  const auto of = [](const std::string& guard) {
    return check(
        "def f(x, y):\n  mine = dist.get_rank() == 0\n  if x.a:\n    mine = True\n    dist.barrier()\n  if y.b:\n    "
        "dist.barrier()\n  if " +
        guard + ":\n    dist.barrier()\n");
  };
  const Analysis apart = of("mine");
  REQUIRE(apart.shared->mismatches.size() == 1);
  const auto& assumptions = apart.shared->mismatches[0].certainty.assumptions();
  REQUIRE(assumptions.size() == 1);
  CHECK(assumptions[0].subject == "x.a");
  CHECK_FALSE(assumptions[0].holds);
  CHECK(of("mine and x.a").shared->mismatches.empty());
}

TEST_CASE("of a function that calls itself the first two calls are walked") {
  const Analysis analysis = check(
      "def visit(node, mine):\n  if mine:\n    dist.barrier()\n  else:\n    dist.barrier()\n"
      "  if node.left:\n    visit(node.left, mine)\n  if node.right:\n    visit(node.right, mine)\n"
      "def f(node):\n  visit(node, dist.get_rank() == 0)\n  if dist.get_rank() == 0:\n    dist.barrier()\n");
  CHECK(analysis.incomplete.empty());
  CHECK(analysis.shared->mismatches.size() == 1);
}

TEST_CASE("a function that takes more work than is done for one is counted, and the next one is judged all the same") {
  // Where each handle is waited for is looked for in the whole function.
  const Analysis analysis =
      check("def f(x):\n" +
            lines(5000, [](const std::string& i,
                           const std::string&) { return "  h" + i + " = dist.all_reduce(x, async_op=True)"; }) +
            lines(5000, [](const std::string& i, const std::string&) { return "  h" + i + ".wait()"; }) +
            "def g(x):\n  if dist.get_rank() == 0:\n    dist.barrier()\n  h = dist.all_reduce(x, async_op=True)\n  "
            "x.norm()\n");
  REQUIRE(analysis.incomplete.size() == 1);
  CHECK(analysis.incomplete[0].reason == IncompleteReason::MuchWork);
  CHECK(analysis.incomplete[0].function == "f");
  CHECK(analysis.shared->mismatches.size() == 1);
  CHECK(std::ranges::any_of(findings_of(analysis), [](const Finding& f) { return f.rule == "unwaited-work"; }));
}

TEST_CASE("values that grow with each call end the comparison of a function, not of its neighbours") {
  // Each call hands on a choice between all that it was given, and each is compared on its own.
  std::string calls;
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i);
    calls += "    C(self.x if a else b).step(a.p" + n + " if b.q" + n + " else (b, a), b.r" + n +
             " if self.x == a else self)\n";
  }
  const Analysis analysis = check(
      "class C:\n  def __init__(self, x):\n    self.x = x\n  def step(self, a, b):\n    if self.x == "
      "dist.get_rank():\n      dist.barrier()\n" +
      calls + "def g(x):\n  if dist.get_rank() == 0:\n    dist.barrier()\n");
  CHECK(std::ranges::any_of(analysis.incomplete, [](const IncompleteFunction& f) { return f.function == "C.step"; }));
  CHECK(std::ranges::any_of(analysis.shared->mismatches, [&](const Mismatch& m) {
    return analysis.shared->index->qualified_name(m.function) == "g";
  }));
}

// One shape each of what a function may hold a great many of: what is asked of each may not cost the function once
// more.
TEST_CASE("a hundred thousand collectives in one function are read, and compared as far as any are") {
  const Analysis analysis =
      check("def f(x):\n  if dist.get_rank() == 0:\n    dist.barrier()\n" + times(100000, "  dist.all_reduce(x)\n"));
  CHECK(std::ranges::none_of(analysis.incomplete,
                             [](const IncompleteFunction& f) { return f.reason == IncompleteReason::MuchWork; }));
  CHECK(analysis.shared->mismatches.size() == 1);
}

TEST_CASE(
    "a function with thousands of contexts, loops, handlers, groups and handles one after the other has an end, and so "
    "have its neighbours") {
  const auto in_function = [](const std::string& name, const std::string& line) {
    return "def " + name + "(x, g):\n" + times(10000, line);
  };
  const Analysis analysis =
      check(in_function("contexts", "  with torch.no_grad():\n    dist.all_reduce(x)\n") +
            in_function("loops", "  for i in g:\n    dist.all_reduce(x)\n") +
            in_function("handlers", "  try:\n    dist.all_reduce(x)\n  except OSError:\n    pass\n") +
            in_function("groups", "  dist.all_reduce(x, group=dist.new_group([0, 1]))\n") +
            in_function("handles", "  h = dist.all_reduce(x, async_op=True)\n  h.wait()\n") +
            in_function("setup",
                        "  dist.init_process_group('nccl')\n  dist.all_reduce(x)\n  dist.destroy_process_group()\n") +
            "def small(x):\n  if dist.get_rank() == 0:\n    dist.barrier()\n");
  const auto& found = analysis.shared->mismatches;
  CHECK(std::ranges::any_of(
      found, [&](const Mismatch& m) { return analysis.shared->index->qualified_name(m.function) == "small"; }));
}

TEST_CASE("as many functions as there are lines cost no more than their lines") {
  const auto work_of = [](int count) {
    const Analysis analysis = check(lines(count, [](const std::string& i, const std::string&) {
      return "def f" + i + "(x):\n  if dist.get_rank() == 0:\n    dist.all_reduce(x)";
    }));
    CHECK(analysis.shared->mismatches.size() == static_cast<size_t>(count));
    return analysis.work;
  };
  CHECK(work_of(10000) < 11 * work_of(1000));
}

}  // namespace
}  // namespace ranklint
