// What a run says, and how it ends, where not everything could be checked.
#include <catch2/catch.hpp>

#include "tests/app/world.h"

using namespace ranklint;
using namespace ranklint::test;
using Catch::Contains;

TEST_CASE("a named file that this build cannot read is an error that names it and the way out") {
  const World world;
  world.folder.write("x.cxx", "BUG\n");
  world.folder.write("a.py", "fine\n");
  const Outcome alone = world.run({"check", "x.cxx"});
  CHECK(alone.status == 2);
  CHECK_THAT(alone.err, Contains("ranklint: x.cxx: cannot be read: no frontend for C++; use another build"));
  CHECK(alone.log.reported_paths.empty());
  const Outcome beside = world.run({"check", "a.py", "x.cxx"});
  CHECK(beside.status == 2);
  CHECK(beside.log.reported_paths == std::vector<std::string>{"a.py"});
  CHECK(beside.log.failed);
  CHECK(world.run({"check", "--quiet", "--exit-zero", "a.py", "x.cxx"}).status == 2);
  CHECK_THAT(world.run({"check", "--quiet", "x.cxx"}).err, Contains("x.cxx: cannot be read"));
}

TEST_CASE("standard input of a name that cannot be read is the same error") {
  World world;
  world.stdin_text = "BUG\n";
  CHECK(world.run({"check", "-", "--stdin-filename", "x.cxx"}).status == 2);
  const Outcome unknown = world.run({"check", "-", "--stdin-filename", "x.rs"});
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Contains("x.rs: not a file that ranklint reads"));
}

TEST_CASE("files in a folder that cannot be read are counted by kind, and fail the run on request") {
  const World world;
  for (const char* name : {"a.py", "k/x.cxx", "k/y.cxx"}) world.folder.write(name, "fine\n");
  const Outcome outcome = world.run({"check"});
  CHECK(outcome.status == 0);
  REQUIRE(outcome.log.unread.size() == 1);
  CHECK(outcome.log.unread[0].kind == "C++ file");
  CHECK(outcome.log.unread[0].paths == std::vector<std::string>{"k/x.cxx", "k/y.cxx"});
  CHECK_FALSE(outcome.log.failed);
  const Outcome asked = world.run({"check", "--fail-on-unread"});
  CHECK(asked.status == 2);
  CHECK(asked.log.failed);
  CHECK_THAT(asked.err, Contains("2 files were not read (`fail-on-unread`"));
  CHECK(world.run({"check", "--fail-on-unread", "--extend-exclude", "*.cxx"}).status == 0);
  world.folder.write("ranklint.toml", "fail-on-unread = true\n");
  CHECK(world.run({"check"}).status == 2);
}

TEST_CASE("notebooks in a folder are not read, and that is said") {
  const World world;
  for (const char* name : {"a.py", "n.ipynb", "sub/m.ipynb", ".venv/of_library.ipynb"})
    world.folder.write(name, "fine\n");
  const Outcome plain = world.run({"check"});
  CHECK(plain.status == 0);
  CHECK(plain.log.read_paths == std::vector<std::string>{"a.py"});
  REQUIRE(plain.log.unread.size() == 1);
  CHECK(plain.log.unread[0].kind == "notebook");
  CHECK(plain.log.unread[0].paths == std::vector<std::string>{"n.ipynb", "sub/m.ipynb"});
  CHECK(world.run({"check", "--fail-on-unread"}).status == 2);
  CHECK(world.run({"check", "--extend-exclude", "*.ipynb"}).log.unread.empty());
}

TEST_CASE("formats without a place for it leave what was not checked to standard error") {
  const World world;
  world.folder.write("x.cxx", "");
  world.folder.write("a.py", "fine\n");
  for (const char* format : {"jsonl", "gitlab", "rdjson", "checkstyle", "svg", "json", "sarif"})
    CHECK_THAT(world.run({"check", "--output-format", format}).err,
               Contains("ranklint: Not checked: 1 C++ file (no frontend for C++).\n"));
  CHECK_THAT(world.run({"check"}).err, !Contains("Not checked"));
}

TEST_CASE("a file that the system does not let be read is among those that were not") {
  const World world;
  world.folder.write("a.py", "fine\n");
  std::filesystem::create_symlink("nowhere", world.folder.path() + "/b.py");
  const Outcome outcome = world.run({"check", "--fail-on-unread"});
  CHECK(outcome.status == 2);
  REQUIRE(outcome.log.unread.size() == 1);
  CHECK(outcome.log.unread[0].paths == std::vector<std::string>{"b.py"});
}

TEST_CASE("what was not checked to the end is listed, and fails the run where it is strict") {
  const World world;
  world.folder.write("a.py", "HUGE\nSYNTAX\n");
  const Outcome outcome = world.run({"check"});
  CHECK(outcome.status == 0);
  REQUIRE(outcome.log.incomplete.size() == 2);
  CHECK(outcome.log.incomplete[0].function == "huge");
  CHECK(outcome.log.incomplete[0].reason == "too-large");
  CHECK(outcome.log.incomplete[1].reason == "parse-error");
  CHECK(outcome.log.incomplete[1].line == 2);
  CHECK(world.run({"check", "--fail-on-unread"}).status == 0);
  const Outcome strict = world.run({"check", "--strict"});
  CHECK(strict.status == 2);
  CHECK_THAT(strict.err, Contains("2 places were not checked to the end (`strict`; `--show-incomplete` lists them)"));
  world.folder.write("ranklint.toml", "strict = true\n");
  CHECK(world.run({"check"}).status == 2);
  CHECK(world.run({"baseline", "create"}).status == 2);
}

TEST_CASE(
    "a function that a bug of ours kept from being judged is told with what to send, and fails the run where it is "
    "strict") {
  const World world;
  world.folder.write("a.py", "BROKEN\n");
  const Outcome outcome = world.run({"check"});
  CHECK(outcome.status == 0);
  REQUIRE(outcome.log.incomplete.size() == 1);
  CHECK(outcome.log.incomplete[0].kind == IncompletePlace::Kind::BrokenFunction);
  CHECK(outcome.log.incomplete[0].function == "broken");
  CHECK(outcome.log.incomplete[0].reason == "internal-error");
  CHECK_THAT(outcome.err, Contains("ranklint: internal error: a.py:1: `broken` was not judged: summary: base.h:3: no"));
  CHECK_THAT(outcome.err, Contains("everything else was judged; this is a bug in ranklint: please report these lines"));
  CHECK(world.run({"check", "--strict"}).status == 2);
}
