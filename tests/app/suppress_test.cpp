#include <catch2/catch.hpp>

#include "app/suppress/directive.h"
#include "tests/app/world.h"

using namespace ranklint;
using namespace ranklint::test;
using Catch::Contains;

namespace {

// What is reported of a file that holds this text.
std::string reported(const std::string& text, std::vector<std::string> flags = {}) {
  const World world;
  world.folder.write("a.py", text);
  flags.insert(flags.begin(), "check");
  const std::string out = world.run(flags).out;
  return out.substr(0, out.find("end of report"));
}

app::Directive only(std::string text) {
  const ir::Pragma pragma{.range = {1, 1, 1, 2}, .text = std::move(text), .own_line = false};
  return app::read_directives({&pragma, 1}, "x\n").front();
}

}  // namespace

TEST_CASE("a comment is read: rules, then the reason") {
  const app::Directive directive = only("ignore[RL101, rank-dependent-loop] one rank per job");
  CHECK(directive.selectors == std::vector<std::string>{"RL101", "rank-dependent-loop"});
  CHECK(directive.reason == "one rank per job");
  CHECK(only("ignore[RL101] -- because").reason == "because");
  CHECK(only("ignore[RL101] see #12  # noqa").reason == "see #12");
  CHECK(only("ignore[RL101]  # noqa").reason.empty());
  CHECK(only("ignore").selectors == std::vector<std::string>{"ALL"});
  CHECK(only("ignore-file[RL1]").whole_file);
}

TEST_CASE("a comment that can not be read says why") {
  CHECK_THAT(only("ignroe[RL101]").mistake, Contains("did you mean `ignore`?"));
  CHECK_THAT(only("ignore[RL101").mistake, Contains("no closing `]`"));
  CHECK_THAT(only("ignore[ ]").mistake, Contains("empty"));
  CHECK_FALSE(only("").mistake.empty());
}

TEST_CASE("a comment ignores the finding on its line, by id, code or prefix") {
  CHECK(reported("BUG # ranklint: ignore[rank-guarded-collective] fine\n").empty());
  CHECK(reported("BUG # ranklint: ignore[rl101] fine\n").empty());
  CHECK(reported("BUG # ranklint: ignore[RL1] fine\n").empty());
  CHECK(reported("BUG # ranklint: ignore\n").empty());
  CHECK_THAT(reported("BUG # ranklint: ignore[RL104]\n"), Contains("RL101 found BUG"));
}

TEST_CASE("a comment on a line of its own speaks of the next line of code") {
  CHECK(reported("# ranklint: ignore[RL101] fine\nBUG\n").empty());
  CHECK(reported("# ranklint: ignore[RL101] fine\n# why\n\nBUG\n").empty());
  CHECK(reported("# ranklint: ignore[RL101] a\n# ranklint: ignore[RL104] b\nBUG LOOP\n").empty());
  CHECK_THAT(reported("# ranklint: ignore[RL101] fine\nx = 1\nBUG\n"), Contains("RL101 found BUG"));
}

TEST_CASE("a comment may speak of the whole file") {
  CHECK(reported("BUG\nLOOP\n# ranklint: ignore-file[RL101, RL104] generated\n").empty());
  CHECK(reported("BUG\nLOOP\n# ranklint: ignore-file[RL101]\n") == "a.py:2:1 RL104 found LOOP\n");
}

TEST_CASE("a comment that suppresses nothing is reported, with what is unused in it") {
  CHECK(reported("BUG # ranklint: ignore[RL101, RL104]\n") ==
        "a.py:1:5 RL901 this comment ignores `RL104`, which reports nothing on line 1\n");
  CHECK_THAT(reported("# ranklint: ignore-file[RL104]\n"), Contains("reports nothing in this file"));
}

TEST_CASE("a comment for every rule does not hide that it suppresses nothing") {
  CHECK_THAT(reported("x # ranklint: ignore\n"), Contains("RL901"));
}

TEST_CASE("a comment for a rule that is off is not called unused") {
  CHECK(reported("x # ranklint: ignore[redundant-guard]\n").empty());
  CHECK(reported("x # ranklint: ignore[RL104]\n", {"--ignore", "RL104"}).empty());
  CHECK(reported("x # ranklint: ignore[RL104]\n", {"--select", "RL1"}).empty());
}

TEST_CASE("a comment for a finding below the threshold is used") {
  CHECK(reported("MAYBE # ranklint: ignore[RL101]\n").empty());
}

TEST_CASE("a rule that does not exist is reported once, and not as unused") {
  CHECK(reported("x # ranklint: ignore[rank-guarded-colective]\n") ==
        "a.py:1:3 RL902 no rule is called `rank-guarded-colective`\n");
}

TEST_CASE("comments about comments can be ignored too") {
  CHECK(reported("x # ranklint: ignore[RL104, RL901]\n").empty());
  CHECK(reported("# ranklint: ignore-file[RL902]\nx # ranklint: ignore[nonsense]\n").empty());
}

TEST_CASE("what does not parse can be ignored") {
  CHECK_THAT(reported("SYNTAX\n", {"--min-severity", "info"}), Contains("RL904"));
  CHECK(reported("SYNTAX # ranklint: ignore[RL904] a template\n", {"--min-severity", "info"}).empty());
}

TEST_CASE("a comment on another line is told where the finding is") {
  CHECK_THAT(reported("x # ranklint: ignore[RL101]\nBUG\n"),
             Contains("reports nothing on line 1; the finding is on line 2"));
  CHECK_THAT(reported("x # ranklint: ignore[RL104]\nBUG\n"), Contains("reports nothing on line 1\n"));
}

TEST_CASE("rules without a comma between them are told to need one") {
  CHECK_THAT(reported("x # ranklint: ignore[RL101 RL104]\n"),
             Contains("no rule is called `RL101 RL104`; rules are separated by commas"));
}

TEST_CASE("suppressed findings stay known to the report") {
  const World world;
  world.folder.write("a.py", "BUG # ranklint: ignore[RL101]\n");
  CHECK(world.run({"check"}).log.suppressed == 1);
}
