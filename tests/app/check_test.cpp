#include <catch2/catch.hpp>

#include <sys/stat.h>

#include "app/check/pipeline.h"
#include "app/check/progress.h"
#include "app/check/sources.h"
#include "rules/rule.h"
#include "tests/app/world.h"

#include <sstream>

using namespace ranklint;
using namespace ranklint::test;
using Catch::Contains;

namespace {

// A finding of each kind, a line each.
const std::string kAll = "BUG\nLOOP\nMAYBE\nAUDIT\nSYNTAX\n";

}  // namespace

TEST_CASE("findings give 1, a clean run gives 0") {
  const World world;
  world.folder.write("a.py", "fine\n");
  CHECK(world.run({"check"}).status == 0);
  world.folder.write("b.py", "BUG\n");
  CHECK(world.run({"check"}).status == 1);
  CHECK(world.run({"check", "a.py"}).status == 0);
  CHECK(world.run({"check", "--exit-zero"}).status == 0);
}

TEST_CASE("verify gives 1 for what a run confirms, and check --verify for whatever is left") {
  const World world;
  world.folder.write("a.py", "LOOP\n");
  world.folder.write("b.py", "BUG\n");
  CHECK(world.run({"verify", "a.py"}).status == 0);
  CHECK(world.run({"check", "--verify", "a.py"}).status == 1);
  CHECK(world.run({"verify"}).status == 1);
  CHECK(world.run({"verify", "--exit-zero"}).status == 0);
}

TEST_CASE("by default what is likely and at least a warning is reported, of rules that are on") {
  const World world;
  world.folder.write("a.py", kAll);
  CHECK(world.run({"check"}).out == "a.py:1:1 RL101 found BUG\na.py:2:1 RL104 found LOOP\nend of report\n");
}

TEST_CASE("thresholds let more or less through") {
  const World world;
  world.folder.write("a.py", kAll);
  CHECK_THAT(world.run({"check", "--min-confidence", "possible"}).out, Contains("found MAYBE"));
  CHECK_THAT(world.run({"check", "--min-severity", "info"}).out, Contains("a.py:5:1 RL904 does not parse"));
  CHECK_THAT(world.run({"check", "--min-severity", "info", "--select", "ALL"}).out, Contains("found AUDIT"));
  world.folder.write("b.py", "BUG # ranklint: ignore[RL104]\n");
  CHECK_THAT(world.run({"check", "b.py"}).out, Contains("RL901"));
  CHECK_THAT(world.run({"check", "b.py", "--min-severity", "error"}).out, !Contains("RL901"));
}

TEST_CASE("rules are selected by id, code, prefix and ALL, and the closest selector decides") {
  const World world;
  world.folder.write("a.py", "BUG\nLOOP\n");
  const auto codes = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), "check");
    const std::string out = world.run(flags).out;
    return std::string(out.find("RL101") != std::string::npos ? "1" : "") +
           (out.find("RL104") != std::string::npos ? "4" : "");
  };
  CHECK(codes({"--select", "RL104"}) == "4");
  CHECK(codes({"--select", "rank-guarded-collective,RL104"}) == "14");
  CHECK(codes({"--select", "RL9"}).empty());
  CHECK(codes({"--ignore", "RL1"}).empty());
  CHECK(codes({"--ignore", "rank-dependent-loop"}) == "1");
  CHECK(codes({"--select", "RL1", "--ignore", "RL104"}) == "1");
  CHECK(codes({"--select", "RL104", "--ignore", "RL1"}) == "4");
  CHECK(codes({"--select", "ALL", "--ignore", "ALL"}).empty());
}

TEST_CASE("a list flag takes one word, so that a path behind it stays a path") {
  const World world;
  world.folder.write("a.py", "BUG\n");
  world.folder.write("b.py", "BUG\n");
  CHECK(world.run({"check", "--select", "RL101", "a.py"}).log.read_paths == std::vector<std::string>{"a.py"});
}

TEST_CASE("a rule that does not exist can not be selected") {
  const Outcome outcome = World().run({"check", "--select", "rank-dependant-loop"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err,
             Contains("--select: no rule is called `rank-dependant-loop`; did you mean `rank-dependent-loop`?"));
}

TEST_CASE("a path that does not exist is wrong usage") {
  const Outcome outcome = World().run({"check", "missing"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err == "ranklint: missing: no such file or folder\n");
}

TEST_CASE("standard input is checked under the name it is given") {
  World world;
  world.stdin_text = "BUG\n";
  const Outcome outcome = world.run({"check", "-", "--stdin-filename", "pkg/new.py"});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Contains("pkg/new.py:1:1 RL101"));
  CHECK_THAT(world.run({"-"}).out, Contains("stdin.py:1:1 RL101"));
  world.folder.write("a.py", "");
  CHECK(world.run({"check", "-", "a.py"}).status == 2);
}

TEST_CASE("a file that can not be read is told and the rest is checked") {
  const World world;
  world.folder.write("a.py", "BUG\n");
  const std::string pipe = world.folder.path() + "/pipe.py";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  world.folder.write("large.py", std::string((16U << 20) + 1, '#'));
  const Outcome outcome = world.run({"check"});
  CHECK_THAT(outcome.out, Contains("a.py:1:1 RL101"));
  CHECK_THAT(outcome.out, Contains("pipe.py:0:0 RL903 can not be read: not a regular file"));
  CHECK_THAT(outcome.out, Contains("large.py:0:0 RL903 can not be read: larger than 16 MiB"));
  CHECK(outcome.status == 1);
  world.folder.write("a.py", "fine\n");
  CHECK(world.run({"check"}).status == 0);  // no finding
  for (const char* named : {"pipe.py", "./large.py"}) {
    const Outcome alone = world.run({"check", "a.py", named});
    CHECK(alone.status == 2);
    CHECK_THAT(alone.err, Contains("large.py: cannot be read: larger than 16 MiB") ||
                              Contains("pipe.py: cannot be read: not a regular file"));
    CHECK(world.run({"verify", named}).status == 2);
  }
}

TEST_CASE("unreadable files are told whatever is selected, until they are ignored") {
  const World world;
  world.folder.write("a.py", "x = '\xff'\n");
  CHECK_THAT(world.run({"check", "--select", "RL104"}).out, Contains("a.py:1:6 RL903 not UTF-8"));
  CHECK(world.run({"check", "--ignore", "RL903"}).status == 0);
}

TEST_CASE("bytes that are not UTF-8 are placed, unless the file declares an encoding") {
  CHECK_FALSE(app::first_broken_byte("x = 'ü'\n").has_value());
  CHECK(app::first_broken_byte("a\nb\xc3(") == SourceRange{2, 2, 2, 3});
  CHECK(app::first_broken_byte("\xed\xa0\x80").has_value());
  CHECK(app::first_broken_byte("\xc0\xaf").has_value());
  CHECK(app::first_broken_byte("\xf0\x9f").has_value());
  CHECK_FALSE(app::first_broken_byte("# -*- coding: latin-1 -*-\nx = '\xff'\n").has_value());
}

TEST_CASE("a report may go to a file") {
  const World world;
  world.folder.write("a.py", "BUG\n");
  const Outcome outcome = world.run({"check", "--output-file", "report.txt"});
  CHECK(outcome.out.empty());
  CHECK(outcome.status == 1);
  CHECK_THAT(world.folder.read("report.txt"), Contains("RL101"));
  CHECK(world.run({"check", "--output-file", "no/such/folder/report.txt"}).status == 2);
}

TEST_CASE("the output format reaches the report") {
  const World world;
  CHECK(world.run({"check"}).log.format == OutputFormat::Full);
  CHECK(world.run({"check", "--output-format", "sarif"}).log.format == OutputFormat::Sarif);
  CHECK(world.run({"check", "--output-format", "jsonl"}).log.format == OutputFormat::JsonLines);
  CHECK(world.run({"check", "--statistics"}).log.statistics);
  CHECK(world.run({"check", "-j", "3"}).log.threads == 3);
}

TEST_CASE("colour follows the flag, then the environment, then the terminal") {
  World world;
  const auto colored = [&](const char* when) { return world.run({"check", "--color", when}).log.color; };
  CHECK_FALSE(colored("auto"));
  CHECK(colored("always"));
  world.terminal = true;
  CHECK(colored("auto"));
  CHECK_FALSE(colored("never"));
  world.environment = {{"NO_COLOR", "1"}};
  CHECK_FALSE(colored("auto"));
  CHECK(colored("always"));
  world.terminal = false;
  world.environment = {{"FORCE_COLOR", "1"}};
  CHECK(colored("auto"));
  world.environment = {{"CLICOLOR_FORCE", "1"}};
  CHECK(colored("auto"));
  world.environment = {{"CLICOLOR_FORCE", "0"}};
  CHECK_FALSE(colored("auto"));
}

TEST_CASE("the name of the output file says the format, unless the flag does") {
  const World world;
  world.folder.write("a.py", "BUG\n");
  const auto format = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), "check");
    return world.run(flags).log.format;
  };
  CHECK(format({"-o", "r.html"}) == OutputFormat::Html);
  CHECK(format({"-o", "r.json"}) == OutputFormat::Json);
  CHECK(format({"-o", "r.jsonl"}) == OutputFormat::JsonLines);
  CHECK(format({"-o", "r.sarif"}) == OutputFormat::Sarif);
  CHECK(format({"-o", "r.txt"}) == OutputFormat::Full);
  CHECK(format({"-o", "r.json", "--output-format", "gitlab"}) == OutputFormat::Gitlab);
  const Outcome xml = world.run({"check", "-o", "r.xml"});
  CHECK(xml.status == 2);
  CHECK_THAT(xml.err, Contains("--output-format junit or checkstyle"));
  const Outcome written = world.run({"check", "-o", "r.html"});
  CHECK_THAT(written.err, Contains("ranklint: r.html: 1 hazard\n"));
  CHECK(written.out.empty());
  const Outcome dash = world.run({"check", "-o", "-"});
  CHECK_THAT(dash.out, Contains("found BUG"));
  CHECK_FALSE(std::filesystem::exists(world.folder.path() + "/-"));
}

TEST_CASE("services are told paths from the top of the repository, people from where they are") {
  World world;
  world.folder.write(".git/HEAD", "");
  world.folder.write("sub/a.py", "BUG\n");
  world.subfolder = "sub";
  const auto told = [&](const char* format) { return world.run({"check", "--output-format", format}).out; };
  for (const char* format : {"github", "gitlab", "sarif"}) CHECK_THAT(told(format), Contains("sub/a.py:1:1"));
  for (const char* format : {"full", "json", "rdjson"}) CHECK_THAT(told(format), Catch::StartsWith("a.py:1:1"));
  world.environment = {{"GITHUB_WORKSPACE", world.folder.path() + "/sub"}, {"CI_PROJECT_DIR", world.folder.path()}};
  CHECK_THAT(told("github"), Catch::StartsWith("a.py:1:1"));
  CHECK_THAT(told("gitlab"), Contains("sub/a.py:1:1"));
  world.environment = {{"GITHUB_WORKSPACE", "/elsewhere"}};
  CHECK_THAT(told("github"), Contains("sub/a.py:1:1"));
}

TEST_CASE("quiet says nothing about a clean run, verbose tells what was read") {
  const World world;
  world.folder.write("a.py", "fine\n");
  CHECK(world.run({"check", "--quiet"}).out.empty());
  const Outcome outcome = world.run({"check", "--verbose"});
  CHECK_THAT(outcome.err, Contains("files: 1\n"));
  CHECK_THAT(outcome.err, Contains("configuration: none\n"));
}

TEST_CASE("a file that does not parse is counted, and its places are told on request") {
  const World world;
  world.folder.write("a.py", "SYNTAX\nSYNTAX\n");
  const Outcome outcome = world.run({"check"});
  CHECK(outcome.status == 0);
  CHECK(outcome.log.broken_files == 1);
  const Outcome ignored = world.run({"check", "--ignore", "RL904"});
  CHECK(ignored.log.broken_files == 0);
  CHECK(world.run({"check", "--select", "RL101"}).log.broken_files == 1);
  world.folder.write("a.py", "x = '\xff'\n");
  CHECK(world.run({"check"}).log.broken_files == 1);
}

TEST_CASE("a rule that is selected nowhere is not looked for") {
  EngineLog log;
  app::Engine engine = fake_engine(log);
  engine.rules = all_rules();
  app::Settings settings;
  settings.select = {"RL101", "RL102"};
  settings.ignore = {"RL102"};
  const std::vector<Pass> passes = app::passes_for(engine, settings);
  REQUIRE(passes.size() == 1);
  CHECK(passes[0].name == "rule rank-guarded-collective");
}

TEST_CASE("suppressed findings are listed on request") {
  const World world;
  world.folder.write("a.py", "BUG # ranklint: ignore[RL101] one rank per job\nBUG # ranklint: ignore[RL101]\n");
  CHECK(world.run({"check"}).status == 0);
  const Outcome outcome = world.run({"check", "--show-suppressed", "--verbose"});
  CHECK_THAT(outcome.out, Contains("a.py:1:1: RL101 suppressed: found BUG (one rank per job)"));
  CHECK_THAT(outcome.out, Contains("a.py:2:1: RL101 suppressed: found BUG (no reason given)"));
  CHECK_THAT(outcome.err, Contains("suppressed findings: 2 (1 without a reason)"));
}

TEST_CASE("a models file that is missing or broken is an error with its name") {
  const World world;
  CHECK_THAT(world.run({"check", "--models", "m.json"}).err, Contains("m.json: can not read the models: no such file"));
  world.folder.write("m.json", "{");
  const Outcome broken = world.run({"check", "--models", "m.json"});
  CHECK(broken.status == 2);
  CHECK_THAT(broken.err, Contains("m.json"));
}

TEST_CASE("the progress line shows only when a run is long, and is taken away") {
  std::ostringstream err;
  const auto now = app::ProgressLine::Clock::now();
  {
    app::ProgressLine line(err, true);
    line.update(1, 10, now);
    CHECK(err.str().empty());
    line.update(2, 10, now + std::chrono::seconds(2));
    CHECK_THAT(err.str(), Contains("checking 2 of 10 files"));
    line.update(3, 10, now + std::chrono::seconds(2));
    CHECK_THAT(err.str(), !Contains("checking 3"));
  }
  CHECK_THAT(err.str(), Catch::EndsWith("\r\x1b[K"));
  std::ostringstream silent;
  app::ProgressLine(silent, false).update(2, 10, now + std::chrono::seconds(2));
  CHECK(silent.str().empty());
}

TEST_CASE("a report that can not be written says where and why, and leaves what was there") {
  const World world;
  world.folder.write("a.py", "BUG\n");
  std::filesystem::create_directory(world.folder.path() + "/taken");
  const std::pair<const char*, const char*> places[] = {
      {"none/x.txt", "none/x.txt: can not be written: no such file or directory"},
      {"taken", "taken: can not be written: is a directory"},
      {"/dev/full", "/dev/full: can not be written: no space left on device"}};
  for (const auto& [place, message] : places) {
    const Outcome outcome = world.run({"check", "--output-file", place});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Catch::Contains(message));
  }
  CHECK(world.run({"check", "--output-file", "/dev/null"}).status == 1);
}

TEST_CASE("a folder without anything to read is told of, on standard error") {
  const World world;
  world.folder.write("notes.txt", "BUG\n");
  const Outcome outcome = world.run({"check"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.err, Contains("no files here that ranklint reads"));
  CHECK(world.run({"check", "--quiet"}).err.empty());
}
