// What a rule sees of the calls that it asks for.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "analyzer/project/project.h"
#include "analyzer/project/shared.h"
#include "analyzer/questions/calls.h"
#include "tests/project/python.h"

namespace ranklint {
namespace {

std::vector<CallSite> calls_in(const std::string& program, std::vector<std::string> watched) {
  static const Models models = Models::builtin();  // calls point to them
  const Analysis analysis = analyze({{.path = "a.py", .bytes = program}}, models, python,
                                    {.threads = 1, .watched = std::move(watched), .progress = {}});
  return analysis.shared->calls.all();
}

TEST_CASE("a call is known by its qualified name, whatever it was imported as") {
  const auto calls = calls_in(
      "from torch.distributed import barrier as meet\n"
      "def f(model):\n  meet()\n  model.barrier()\n  model.step()\n",
      {"barrier"});
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].callee == "torch.distributed.barrier");
  CHECK(calls[0].is(ModelKind::Collective));
  CHECK(calls[0].certainty.degree() == Confidence::Certain);
  CHECK(is_call_of(calls[0], "torch.distributed.barrier"));
  CHECK(is_call_of(calls[0], "*.barrier"));
  CHECK(calls[1].callee == "model.barrier");
  CHECK(calls[1].certainty.degree() == Confidence::Likely);
  CHECK(is_call_of(calls[1], "?.barrier"));
  CHECK_FALSE(is_call_of(calls[1], "torch.distributed.barrier"));
}

TEST_CASE("a role that nobody knows is a name that nothing has") {
  CHECK(calls_in("def f(model):\n  model.step()\n", {"^no-role", "<no-role>"}).empty());
}

TEST_CASE("arguments are constants, names, or differ between ranks") {
  const auto calls = calls_in(
      "import os\nimport torch, time\nimport torch.distributed as dist\n"
      "def f(x):\n  work('a', 3, None, torch.bfloat16, (1, 2), dist.get_rank() % 8, since=time.time(), plain=x)\n",
      {"work"});
  REQUIRE(calls.size() == 1);
  const auto at = [&](int position) { return *calls[0].argument({.position = position, .keyword = {}}); };
  CHECK(at(0).text == "a");
  CHECK(at(1).integer == 3);
  CHECK(at(2).kind == SeenValue::Kind::None);
  CHECK(at(3).text == "torch.bfloat16");
  CHECK(at(4).kind == SeenValue::Kind::Sequence);
  CHECK(at(4).integer == 2);
  CHECK(at(5).axes == "world");
  CHECK(calls[0].argument({.position = -1, .keyword = "since"})->local == "clock");
  CHECK_FALSE(calls[0].argument({.position = 9, .keyword = "plain"})->diverges());
  CHECK(calls[0].argument({.position = 9, .keyword = "missing"}) == nullptr);
}

TEST_CASE("a constant of the module and a default of a dataclass arrive where they are passed on") {
  const auto calls = calls_in(
      "from dataclasses import dataclass\nMINUTES = 5\n"
      "@dataclass\nclass Config:\n  backend: str = 'nccl'\n"
      "def f():\n  c = Config()\n  start(c.backend, MINUTES)\n",
      {"start"});
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].arguments[0].value.text == "nccl");
  CHECK(calls[0].arguments[1].value.integer == 5);
}

TEST_CASE("a guard is a branch that decided before, by a block or by leaving early") {
  const auto calls = calls_in(
      "import torch.distributed as dist\n"
      "def f(flag):\n  if dist.get_rank() != 0:\n    return\n  for i in range(3):\n    if flag:\n      work()\n  "
      "work()\n",
      {"work"});
  REQUIRE(calls.size() == 2);
  REQUIRE(calls[0].guards.size() == 3);
  CHECK(calls[0].guards[0].condition.axes == "world");
  CHECK_FALSE(calls[0].guards[0].holds);
  CHECK(calls[0].guards[1].is_loop);
  CHECK(calls[0].guards[2].condition.spelled == "flag");
  CHECK(calls[0].in_loop());
  REQUIRE(calls[1].guards.size() == 1);
  CHECK_FALSE(calls[1].in_loop());
}

TEST_CASE("what surrounds a call is the `with` that is open there") {
  const auto calls = calls_in(
      "import torch\ndef f(lock):\n  with torch.no_grad():\n    work()\n    with lock:\n      work()\n  work()\n",
      {"work"});
  REQUIRE(calls.size() == 3);
  CHECK(calls[0].contexts == std::vector<std::string>{"torch.no_grad"});
  CHECK(calls[1].contexts == std::vector<std::string>{"torch.no_grad", "lock"});
  CHECK(calls[2].contexts.empty());
}

TEST_CASE("one call runs before another when every way there has passed it") {
  const auto calls = calls_in("def f(x):\n  if x:\n    first()\n  second()\n  third()\n", {"first", "second", "third"});
  REQUIRE(calls.size() == 3);
  const auto call = [&](std::string_view name) {
    for (const CallSite& c : calls)
      if (c.callee == name) return c;
    return CallSite{};
  };
  CHECK(runs_before(call("second"), call("third")));
  CHECK_FALSE(runs_before(call("third"), call("second")));
  CHECK_FALSE(runs_before(call("first"), call("second")));
}

TEST_CASE("a variable of the environment that is set is a call") {
  const auto calls =
      calls_in("import os\nfrom os import environ\nos.environ['A'] = '1'\nenviron['B'] = '2'\ny = {}\ny['C'] = '3'\n",
               {"__setitem__"});
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].callee == "os.environ.__setitem__");
  CHECK(calls[0].arguments[0].value.text == "A");
  CHECK(calls[1].arguments[1].value.text == "2");
}

TEST_CASE("an entry of a dictionary is a call that is as sure as one of a library") {
  const auto calls = calls_in("env = {'A': '0', 'B': '1'}\n", {"=A"});
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].callee == "dict.__setitem__");
  CHECK(calls[0].arguments[1].value.text == "0");
  CHECK(calls[0].certainty.degree() == Confidence::Certain);
}

TEST_CASE("what nobody asks for is not kept") { CHECK(calls_in("def f():\n  work()\n", {}).empty()); }

}  // namespace
}  // namespace ranklint
