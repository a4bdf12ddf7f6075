// Rules in JSON: what they may say, how mistakes are reported, and which calls they find.
#include <memory>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analyzer/project/project.h"
#include "analyzer/project/shared.h"
#include "app/engine/frontends.h"
#include "rules/declarative/reader.h"
#include "tests/support/schema.h"
#include "tests/support/support.h"

using namespace ranklint;
using Catch::Contains;

namespace {

bool satisfies_schema(std::string_view text) {
  static const test::JsonSchema schema(
      nlohmann::json::parse(test::read_file(test::source_path("rules/declarative/schema.json"))));
  return schema.accepts_text(text);
}

Error error_of(std::string_view text) {
  Result<std::vector<DeclaredRule>> rules = read_rules(text, "mine.json", RuleOrigin::User);
  INFO(text);
  REQUIRE_FALSE(rules);
  return rules.error();
}

// A rule about `work` with more keys.
std::string rule(const std::string& more) {
  return R"({"id": "our-rule", "code": "OUR1", "summary": "s", "call": "*.work", "message": "m")" +
         (more.empty() ? "" : ", " + more) + "}";
}

// The lines on which the rule reports calls in a program.
std::vector<Finding> findings(const std::string& json, const std::string& program) {
  Result<std::vector<DeclaredRule>> rules = read_rules(json, "mine.json", RuleOrigin::User);
  INFO((rules ? "" : rules.error().message));
  REQUIRE(rules);
  CHECK(satisfies_schema(json));
  DeclaredRules set;
  for (DeclaredRule& r : *rules) set.add(std::move(r));
  const std::vector<Rule> all(set.rules().begin(), set.rules().end());
  static const Models models = Models::builtin();
  const Analysis analysis = analyze(
      {{.path = "a.py", .bytes = "import torch\nimport torch.distributed as dist\nfrom tools import work\n" + program}},
      models, app::lower_source,
      {.threads = 1, .watched = watched_calls(all), .passes = passes_of(all), .progress = {}});
  return findings_of(analysis, all);
}

std::string lines_of(const std::string& json, const std::string& program) {
  std::string lines;
  for (const Finding& f : findings(json, program))
    lines += (lines.empty() ? "" : " ") + std::to_string(f.primary.range.line - 3);
  return lines;
}

}  // namespace

TEST_CASE("the built-in rules satisfy the schema") {
  size_t count = 0;
  for (const std::filesystem::path& path : test::files_below(test::source_path("rules"), ".json")) {
    const std::string folder = path.parent_path().filename().string();
    if (folder == "models" || folder == "declarative") continue;
    INFO(path.string());
    CHECK(satisfies_schema(test::read_file(path)));
    Result<std::vector<DeclaredRule>> rules = read_rules(test::read_file(path), path.string(), RuleOrigin::BuiltIn);
    REQUIRE(rules);
    CHECK(rules->front().id == path.stem().string());
    ++count;
  }
  CHECK(count > 0);
}

TEST_CASE("a mistake in a rule is told with line, pointer, rule and what was expected") {
  const Error error = error_of(
      "{\n  \"id\": \"our-rule\", \"code\": \"OUR1\", \"summary\": \"s\", \"message\": \"m\",\n  \"call\": "
      "\"*.work\",\n"
      "  \"arguments\": [\n    {\"argument\": 0, \"equals\": 1},\n    {\"argument\": \"a\", \"is\": \"givn\"}\n  "
      "]\n}\n");
  CHECK(error.path == "mine.json");
  CHECK(error.line == 6);
  CHECK(error.column == 29);
  CHECK_THAT(error.message, Contains("/arguments/1/is (rule `our-rule`): expected one of `given`, `absent`"));
  CHECK_THAT(error.message, Contains("found \"givn\""));
}

TEST_CASE("what the reader refuses the schema refuses, too") {
  struct Malformed {
    std::string text, message;
  };
  const auto malformed = GENERATE(values<Malformed>({
      {"[]", "/: expected a rule"},
      {"{}", "/: expected the key `id`"},
      {R"({"rules": {}})", "/rules: expected a list of rules"},
      {R"({"rules": [3]})", "/rules/0: expected a rule, an object, found 3"},
      {R"({"rules": [], "models": []})", "/models: unknown key"},
      {R"({"id": "Our", "code": "OUR1", "summary": "s", "call": "f", "message": "m"})", "/id: expected an id"},
      {R"({"id": "our", "code": "our1", "summary": "s", "call": "f", "message": "m"})",
       "/code (rule `our`): expected a code"},
      {R"({"id": "our", "code": "OUR1", "summary": "s", "call": "a..b", "message": "m"})",
       "/call (rule `our`): expected the name of a call"},
      {R"({"id": "our", "code": "OUR1", "summary": "s", "call": [], "message": "m"})",
       "/call (rule `our`): expected the name of a call"},
      {R"({"id": "our", "code": "OUR1", "summary": "s", "call": {"kind": "loud"}, "message": "m"})", "/call/kind"},
      {R"({"id": "our", "code": "OUR1", "summary": "s", "call": "f"})", "/: expected the key `message`"},
      {rule(R"("messages": "m")"), "/messages (rule `our-rule`): unknown key; expected one of `$schema`, `id`"},
      {rule(R"("severity": "fatal")"), "/severity (rule `our-rule`): expected one of `info`, `warning`, `error`"},
      {rule(R"("guard": true)"), "/guard (rule `our-rule`): expected one of `rank-dependent`"},
      {rule(R"("arguments": [{"argument": 0}])"), "/arguments/0 (rule `our-rule`): expected what must hold"},
      {rule(R"("arguments": [{"is": "given"}])"), "/arguments/0 (rule `our-rule`): expected the key `argument`"},
      {rule(R"("arguments": [{"argument": -1, "is": "given"}])"),
       "/arguments/0/argument (rule `our-rule`): expected an argument"},
      {rule(R"("arguments": [{"argument": 0, "equals": {}}])"), "/arguments/0/equals (rule `our-rule`): expected null"},
      {rule(R"("arguments": [{"argument": 0, "less_than": "3"}])"), "expected an integer"},
      {rule(R"("inside": {})"), "/inside (rule `our-rule`): expected one of `function`"},
      {rule(R"("inside": {"module": "a"})"), "/inside/module (rule `our-rule`): unknown key"},
      {rule(R"("inside": {"loop": 1})"), "/inside/loop (rule `our-rule`): expected `true` or `false`"},
      {rule(R"("after": "<collective>")"), "/after (rule `our-rule`): expected the name of a call"},
      {rule(R"("help": "see {argument}")"), "/help (rule `our-rule`): expected a text whose placeholders are"},
      {rule(R"("help": "see {call")"), "/help (rule `our-rule`): expected a text whose placeholders are"},
      {rule(R"("default": "no")"), "/default (rule `our-rule`): expected `true` or `false`"},
  }));
  CHECK_THAT(error_of(malformed.text).message, Contains(malformed.message));
  CHECK_FALSE(satisfies_schema(malformed.text));
}

TEST_CASE("what the schema can not say the reader says") {
  CHECK_THAT(error_of(R"({"id": "our", "code": "RL1", "summary": "s", "call": "f", "message": "m"})").message,
             Contains("does not begin with `RL`"));
  CHECK_THAT(error_of("{\"rules\": [" + rule("") + ", " + rule("") + "]}").message,
             Contains("/rules/1/id (rule `our-rule`): expected an id that no other"));
  CHECK(error_of("{\"rules\": [").message == "not valid JSON");
  CHECK_FALSE(read_rules(std::string(100000, '['), "deep.json", RuleOrigin::User));
}

TEST_CASE("a rule reports the calls of its name") {
  CHECK(lines_of(rule(""), "work()\ndef f(x):\n  x.work()\n  x.play()\n") == "1 3");
  CHECK(
      lines_of(
          R"({"id": "r", "code": "O1", "summary": "s", "call": ["torch.distributed.barrier", "tools.work"], "message": "m"})",
          "work()\ndist.barrier()\ndist.broadcast(x, 0)\n") == "1 2");
  CHECK(lines_of(R"({"id": "r", "code": "O1", "summary": "s", "call": {"kind": "collective"}, "message": "m"})",
                 "work()\ndist.barrier()\ndist.broadcast(x, 0)\ndist.get_rank()\n") == "2 3");
}

TEST_CASE("arguments are asked for presence, value and kind") {
  const std::string program =
      "work()\nwork(1)\nwork('a')\nwork(None)\nwork(dist.get_rank())\nwork(torch.float16)\nwork(mode='a')\nwork(*xs)"
      "\nwork(xs)\n";
  const auto test = [&](const std::string& what) {
    return lines_of(rule("\"arguments\": [{\"argument\": [0, \"mode\"], " + what + "}]"), program);
  };
  CHECK(test(R"("is": "absent")") == "1");
  CHECK(test(R"("is": "given")") == "2 3 4 5 6 7 9");
  CHECK(test(R"("is": "none")") == "4");
  CHECK(test(R"("is": "string")") == "3 7");
  CHECK(test(R"("is": "constant")") == "2 3 4 7");
  CHECK(test(R"("is": "rank-dependent")") == "5");
  CHECK(test(R"("is": ["given", "uniform"])") == "2 3 4 6 7 9");
  CHECK(test(R"("equals": "a")") == "3 7");
  CHECK(test(R"("equals": [1, null])") == "2 4");
  CHECK(test(R"("equals": "a", "default": "a")") == "1 3 7");
  CHECK(test(R"("not_equals": "a")") == "2 4");
  CHECK(test(R"("matches": "torch.float*")") == "6");
  CHECK(test(R"("less_than": 2)") == "2");
  CHECK(test(R"("greater_than": 1)").empty());
}

TEST_CASE("guards are of a kind") {
  const std::string program =
      "import time\ndef f(flag):\n  work()\n  if flag:\n    work()\n  if dist.get_rank() == 0:\n    work()\n  if "
      "time.time() > 3:\n    work()\n";
  CHECK(lines_of(rule(R"("guard": "rank-dependent")"), program) == "7");
  CHECK(lines_of(rule(R"("guard": "local")"), program) == "9");
  CHECK(lines_of(rule(R"("guard": "divergent")"), program) == "7 9");
  CHECK(lines_of(rule(R"("guard": "none")"), program) == "3 5");
}

TEST_CASE("who leaves at once chooses nothing") {
  const std::string program =
      "import time\ndef f(items):\n  for i in items:\n    if time.time() > 3:\n      continue\n    work()\n    if "
      "time.time() > 4:\n      work()\n    other()\n";
  CHECK(lines_of(rule(R"("guard": "divergent")"), program) == "6 8");
  CHECK(lines_of(rule(R"("guard": "divergent-choice")"), program) == "8");
}

TEST_CASE("a decorator that runs a function on one rank is a guard") {
  CHECK(lines_of(rule(R"("guard": "rank-dependent")"),
                 "from pytorch_lightning.utilities import rank_zero_only\n@rank_zero_only\ndef f():\n  work()\n") ==
        "4");
}

TEST_CASE("surroundings are functions, classes, files, decorators, contexts and loops") {
  const std::string program =
      "import contextlib\nclass Net(torch.nn.Module):\n  def forward(self):\n    work()\n@cached\ndef f():\n  with "
      "torch.no_grad():\n    work()\n"
      "  for i in range(3):\n    work()\nwork()\n";
  const auto inside = [&](const std::string& what) { return lines_of(rule("\"inside\": {" + what + "}"), program); };
  CHECK(inside(R"("function": "forward")") == "4");
  CHECK(inside(R"("function": "Net.*")") == "4");
  CHECK(inside(R"("class": "torch.nn.Module")") == "4");
  CHECK(inside(R"("class": "N*t")") == "4");
  CHECK(inside(R"("file": "*.py")") == "4 8 10 11");
  CHECK(inside(R"("decorator": "cached")") == "8 10");
  CHECK(inside(R"("context": "torch.no_grad")") == "8");
  CHECK(inside(R"("loop": true)") == "10");
  CHECK(lines_of(rule(R"("outside": {"loop": true, "class": "Net"})"), program) == "8 11");
}

TEST_CASE("order is what runs before on every way, and what stands around") {
  const std::string program =
      "def f(x):\n  work()\n  dist.barrier()\n  work()\ndef g(x):\n  if x:\n    dist.barrier()\n  work()\n";
  CHECK(lines_of(rule(R"("after": "torch.distributed.barrier")"), program) == "4");
  CHECK(lines_of(rule(R"("before": "torch.distributed.barrier")"), program) == "2");
  CHECK(lines_of(rule(R"("not_after": "torch.distributed.barrier")"), program) == "2");
  CHECK(lines_of(rule(R"("not_before": "torch.distributed.barrier")"), program) == "4 8");
  CHECK(lines_of(rule(R"("nowhere": "torch.distributed.barrier")"), program).empty());
  CHECK(lines_of(rule(R"("nowhere": "torch.distributed.broadcast")"), program) == "2 4 8");
}

TEST_CASE("a message is filled with what is known of the call") {
  const std::string json =
      R"({"id": "r", "code": "O1", "summary": "s", "call": "torch.distributed.broadcast", "guard": "rank-dependent",
      "arguments": [{"argument": [1, "src"], "is": "given"}], "confidence": "likely", "severity": "error",
      "message": "`{name}` ({call}, {operation}) of {argument:0} from {argument:src} in `{function}` under `{guard}` on {axes}", "help": "no {context}"})";
  const auto found = findings(json, "def f(x):\n  if dist.get_rank() == 0:\n    dist.broadcast(x, 3)\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "`broadcast` (torch.distributed.broadcast, broadcast) of x from 3 in `f` under `rank(world) == 0` on world");
  CHECK(found[0].confidence == Confidence::Likely);
  CHECK(found[0].severity == Severity::Error);
  CHECK(found[0].related.size() == 1);
}
