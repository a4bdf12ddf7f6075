// The command line together with the real analysis: that the two are joined, not what the analysis finds.
#include <catch2/catch.hpp>

#include <sstream>

#include "app/cli/run.h"
#include "app/engine/engine.h"
#include "tests/app/world.h"
#include "tests/support/support.h"

using namespace ranklint;
using Catch::Contains;

namespace {

struct Outcome {
  int status;
  std::string out, err;
};

Outcome run(const std::vector<std::string>& args, const std::string& text, const std::string& cwd = "/") {
  std::ostringstream out, err;
  app::Io io{.read_stdin = [&] { return text; },
             .out = out,
             .err = err,
             .out_is_terminal = false,
             .err_is_terminal = false,
             .columns = 0,
             .environment = test::environment_without_cache,
             .cwd = cwd};
  const int status = app::run(args, io, app::real_engine());
  return {status, out.str(), err.str()};
}

const std::string kGuarded =
    "import torch.distributed as dist\n\n\ndef save(state):\n    if dist.get_rank() == 0:\n        dist.barrier()\n";

}  // namespace

TEST_CASE("a collective under a rank guard is found in every format") {
  for (const char* format : {"full", "concise", "json", "jsonl", "sarif", "github", "html", "svg", "junit", "gitlab",
                             "rdjson", "checkstyle"}) {
    const Outcome outcome = run({"check", "-", "--isolated", "--output-format", format}, kGuarded);
    CHECK(outcome.status == 1);
    CHECK_THAT(outcome.out, Contains("RL101"));
  }
}

TEST_CASE("the picture in the documentation is what the program draws") {
  const std::string folder = test::source_path("testdata/rules/rank-guarded-collective/pipeline");
  const Outcome outcome = run({"check", "--isolated", "--output-format", "svg"}, "", folder);
  test::check_golden(test::source_path("docs/pictures/pipeline.svg"), outcome.out);
}

TEST_CASE("a comment takes the finding away") {
  std::string text = kGuarded;
  text.insert(text.size() - 1, "  # ranklint: ignore[rank-guarded-collective] one rank per job");
  CHECK(run({"check", "-", "--isolated"}, text).status == 0);
}

TEST_CASE("the rules about the tool itself are registered") {
  const std::string table = run({"rules"}, "").out;
  for (const char* code : {"RL901", "RL902", "RL903", "RL904"}) CHECK_THAT(table, Contains(code));
}

TEST_CASE("ir prints a file, and one function of it") {
  CHECK_THAT(run({"ir", "-"}, kGuarded).out, Contains("save"));
  CHECK_THAT(run({"ir", "-", "--function", "save"}, kGuarded).out, Contains("barrier"));
  CHECK(run({"ir", "-", "--function", "sav"}, kGuarded).status == 2);
}

TEST_CASE("rules of the user's own are checked, listed and explained beside ours") {
  test::TempFolder folder;
  folder.write("tools/our-rules.json", R"({"rules": [{"id": "no-barrier", "code": "TEAM1", "summary": "a barrier",
      "call": "torch.distributed.barrier", "message": "`{name}` in `{function}`", "help": "leave it out"}]})");
  folder.write("ranklint.toml", "rules = [\"tools/our-rules.json\"]\nselect = [\"TEAM1\"]\n");
  folder.write("a.py", kGuarded);
  const Outcome found = run({"check", folder.path() + "/a.py", "--output-format", "concise"}, "");
  CHECK(found.status == 1);
  CHECK_THAT(found.out, Contains("TEAM1") && Contains("`barrier` in `save`") && !Contains("RL101"));
  const std::string file = folder.path() + "/tools/our-rules.json";
  CHECK_THAT(run({"rules", "--rules", file}, "").out, Contains("TEAM1") && Contains("RL101"));
  CHECK_THAT(run({"rule", "no-barrier", "--rules", file}, "").out, Contains("leave it out"));
}

TEST_CASE("a file of rules that can not be used ends the run with the place") {
  test::TempFolder folder;
  folder.write("a.py", kGuarded);
  folder.write("wrong.json", "{\"rules\": [\n  {\"id\": \"a\"}\n]}");
  folder.write("taken.json",
               R"({"id": "rank-guarded-collective", "code": "TEAM1", "summary": "s", "call": "f", "message": "m"})");
  for (const auto& [name, message] :
       {std::pair{"wrong.json", ":2:3: /rules/0: expected the key `code`"},
        std::pair{"taken.json", "has the id or code of `rank-guarded-collective` (RL101)"},
        std::pair{"missing.json", "can not read the rules"}}) {
    const Outcome outcome = run({"check", folder.path() + "/a.py", "--rules", folder.path() + "/" + name}, "");
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(message));
  }
}
