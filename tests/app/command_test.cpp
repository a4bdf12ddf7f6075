#include <catch2/catch.hpp>

#include "tests/app/world.h"

using Catch::Contains;
using ranklint::test::Outcome;
using ranklint::test::World;

TEST_CASE("help is no error and has examples, for every command") {
  const World world;
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"--help"}, {"check", "--help"}, {"rules", "--help"}, {"rule", "--help"}, {"ir", "--help"}}) {
    const Outcome outcome = world.run(args);
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.out, Contains("Examples:"));
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("the help of a command is of that command") {
  CHECK_THAT(World().run({"check", "--help"}).out, Contains("--stdin-filename"));
  CHECK_THAT(World().run({"ir", "--help"}).out, Contains("--locations"));
}

TEST_CASE("without arguments the help goes to standard error and the status is 2") {
  const Outcome outcome = World().run({});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("check"));
  CHECK(outcome.out.empty());
}

TEST_CASE("a misspelt flag is answered with the flag that was meant") {
  const Outcome outcome = World().run({"check", "--selct", "RL101"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("did you mean `--select`?"));
}

TEST_CASE("a flag is found by its last word, too") {
  for (const char* flag : {"--format", "--formt", "-f"})
    CHECK_THAT(World().run({"check", flag, "json"}).err, Contains("did you mean `--output-format`?"));
}

TEST_CASE("a rule is found by how its name begins") {
  CHECK_THAT(World().run({"check", "--select", "rank-guarded"}).err,
             Contains("did you mean `rank-guarded-collective`?"));
}

TEST_CASE("a list may have spaces behind its commas") {
  const World world;
  world.folder.write("a.py", "BUG\nLOOP\n");
  const Outcome outcome = world.run({"check", "--select", "RL104, RL101"});
  CHECK_THAT(outcome.out, Contains("found BUG") && Contains("found LOOP"));
}

TEST_CASE("a number of threads that is none is told as what it is") {
  const Outcome outcome = World().run({"check", "-j", "abc"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("expected a number from 0 to 1024, got `abc`"));
  CHECK(World().run({"check", "-j", "1025"}).status == 2);
}

TEST_CASE("help is a command as well") {
  CHECK(World().run({"help"}).out == World().run({"--help"}).out);
  CHECK(World().run({"help", "check"}).out == World().run({"check", "--help"}).out);
  CHECK(World().run({"help"}).status == 0);
}

TEST_CASE("rules can be listed by kind") {
  const Outcome outcome = World().run({"rules", "RL9"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("RL904") && !Contains("RL101"));
  CHECK(World().run({"rules", "RLX"}).status == 2);
}

TEST_CASE("fixes that nothing asks to make are told") {
  const World world;
  world.folder.write("a.py", "fine\n");
  CHECK_THAT(world.run({"check", "--unsafe-fixes"}).err, Contains("without one of them it does nothing"));
}

TEST_CASE("a misspelt command is answered with the command that was meant") {
  const Outcome outcome = World().run({"chek"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("`chek` is neither a command nor a path; did you mean `check`?"));
}

TEST_CASE("a value that a flag does not know is wrong usage") {
  for (const char* flag :
       {"--min-severity=bad", "--min-confidence=bad", "--output-format=bad", "--color=bad", "-j=bad"})
    CHECK(World().run({"check", flag}).status == 2);
}

TEST_CASE("the flags --config and --isolated exclude each other") {
  CHECK(World().run({"check", "--isolated", "--config", "a.toml"}).status == 2);
}

TEST_CASE("a path alone means check") {
  const World world;
  world.folder.write("a.py", "BUG\n");
  const Outcome outcome = world.run({"a.py"});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Contains("a.py:1:1 RL101 found BUG"));
}

TEST_CASE("the version is printed by command and by flag") {
  CHECK_THAT(World().run({"version"}).out, Catch::StartsWith("ranklint 0."));
  CHECK(World().run({"--version"}).out == World().run({"version"}).out);
}

TEST_CASE("rules are listed as a table and as JSON") {
  const Outcome table = World().run({"rules"});
  CHECK(table.status == 0);
  CHECK_THAT(table.out, Contains("RL101  rank-guarded-collective  error     some ranks enter\n"));
  CHECK_THAT(table.out, Contains("(off by default)"));
  const Outcome json = World().run({"rules", "--output-format", "json"});
  CHECK_THAT(json.out, Contains(R"("id": "rank-guarded-collective")"));
  CHECK_THAT(json.out, Contains(R"("default": false)"));
}

TEST_CASE("a rule's page is found by id and by code, in any case") {
  CHECK(World().run({"rule", "rank-guarded-collective"}).out == "# its page\n");
  CHECK(World().run({"rule", "rl101"}).out == "# its page\n");
  CHECK(World().run({"explain", "RL101"}).out == "# its page\n");
}

TEST_CASE("a rule without a page is told in a line") {
  CHECK_THAT(World().run({"rule", "RL104"}).out, Contains("loops differ"));
}

TEST_CASE("a rule that does not exist is answered with the nearest") {
  const Outcome outcome = World().run({"rule", "rank-guarded-colective"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("did you mean `rank-guarded-collective`?"));
  CHECK(World().run({"rule", "RL1"}).status == 2);
}

TEST_CASE("ir of a file that is not there is an error with its name") {
  const Outcome outcome = World().run({"ir", "missing.py"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("missing.py: no such file"));
}
