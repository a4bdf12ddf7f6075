#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/app/world.h"

using namespace ranklint::test;
using Catch::Contains;

namespace {

// A repository whose HEAD holds a.py with one finding.
struct Repository : World {
  Repository() {
    git("init -q .");
    folder.write("a.py", "BUG\n# some lines\n# that stay\n# so that a file under another name is known again\n");
    git("add .");
    commit();
  }
  void git(const std::string& what) const {
    const std::string command =
        "cd " + folder.path() + " && git -c user.name=a -c user.email=a@b.example " + what + " >/dev/null 2>&1";
    REQUIRE(std::system(command.c_str()) == 0);
  }
  void commit() const { git("commit -q --no-verify -m x"); }
  std::string told(const std::vector<std::string>& flags) const {
    std::vector<std::string> args{"check"};
    args.insert(args.end(), flags.begin(), flags.end());
    const Outcome outcome = run(args);
    CHECK(outcome.err.empty());
    return outcome.out.substr(0, outcome.out.find("end of report"));
  }
};

}  // namespace

TEST_CASE("what a revision has is old, wherever its line is by now") {
  const Repository repository;
  CHECK(repository.told({"--new-from-rev", "HEAD"}).empty());
  repository.folder.write("a.py", "x\nBUG\nLOOP\n");
  CHECK(repository.told({"--new-from-rev", "HEAD"}) == "a.py:3:1 RL104 found LOOP\n");
}

TEST_CASE("a finding in a file that the revision does not have is new, and in a renamed one it is old") {
  const Repository repository;
  repository.folder.write("b.py", "BUG\n");
  CHECK(repository.told({"--new-from-rev", "HEAD"}) == "b.py:1:1 RL101 found BUG\n");
  CHECK(repository.told({"--new-from-rev", "HEAD", "b.py"}) == "b.py:1:1 RL101 found BUG\n");
  std::filesystem::remove(repository.folder.path() + "/b.py");
  repository.git("mv a.py c.py");
  CHECK(repository.told({"--new-from-rev", "HEAD"}).empty());
  CHECK(repository.told({"--staged"}).empty());
}

TEST_CASE("from a folder inside, the same findings are old") {
  Repository repository;
  repository.folder.write("src/d.py", "LOOP\n");
  repository.git("add .");
  repository.commit();
  repository.folder.write("src/d.py", "LOOP\nBUG\n");
  repository.subfolder = "src";
  CHECK(repository.told({"--new-from-rev", "HEAD"}) == "d.py:2:1 RL101 found BUG\n");
  CHECK(repository.told({"--new-from-rev", "HEAD~1"}) == "d.py:1:1 RL104 found LOOP\nd.py:2:1 RL101 found BUG\n");
}

TEST_CASE("staged is what would be committed, whatever lies on disk") {
  const Repository repository;
  repository.folder.write("a.py", "BUG\nLOOP\n");
  CHECK(repository.told({"--staged"}).empty());
  repository.git("add a.py");
  repository.folder.write("a.py", "x\n");
  CHECK(repository.told({"--staged"}) == "a.py:2:1 RL104 found LOOP\n");
}

TEST_CASE("before the first commit, all that is staged is new") {
  World world;
  world.folder.write("a.py", "BUG\n");
  const std::string in_folder = "cd " + world.folder.path() + " && ";
  REQUIRE(std::system((in_folder + "git init -q . && git add .").c_str()) == 0);
  CHECK_THAT(world.run({"check", "--staged"}).out, Contains("a.py:1:1 RL101 found BUG"));
}

TEST_CASE("excludes and per-file-ignores hold for the revision as well") {
  const Repository repository;
  repository.folder.write("ranklint.toml", "exclude = [\"old/\"]\n[per-file-ignores]\n\"gen/\" = [\"RL101\"]\n");
  repository.folder.write("old/a.py", "BUG\n");
  repository.folder.write("gen/a.py", "BUG LOOP\n");
  CHECK(repository.told({"--new-from-rev", "HEAD"}) == "gen/a.py:1:5 RL104 found LOOP\n");
  repository.git("add .");
  CHECK(repository.told({"--staged"}) == "gen/a.py:1:5 RL104 found LOOP\n");
}

TEST_CASE("a revision that is none, a folder without git and changes at once are errors") {
  const Repository repository;
  for (const char* revision : {"nowhere", "--help", "HEAD:nothing"}) {
    const Outcome outcome = repository.run({"check", std::string("--new-from-rev=") + revision});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(std::string("git knows no revision `") + revision + "`"));
  }
  CHECK_THAT(World().run({"check", "--staged"}).err, Contains("not a git repository"));
  CHECK_THAT(repository.run({"check", "--staged", "--fix"}).err, Contains("use them without --staged"));
}

// git itself sends the signal, with the revision half written, and writes on afterwards.
TEST_CASE("a check that a signal ends leaves no folder behind") {
  const std::string signal = GENERATE("INT", "TERM", "HUP");
  const Repository repository;
  const TempFolder tools, temporary;
  tools.write("git", "#!/bin/sh\nPATH=${PATH#*:}\ncase \"$*\" in *checkout-index*) git \"$@\"; kill -" + signal +
                         " $PPID; sleep 0.1; git \"$@\"; touch " + tools.path() +
                         "/done;; *) exec git \"$@\";; esac\n");
  std::filesystem::permissions(tools.path() + "/git", std::filesystem::perms::owner_all);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);  // Catch2 handles some
    ::setenv("TMPDIR", temporary.path().c_str(), 1);
    ::setenv("PATH", (tools.path() + ":" + std::getenv("PATH")).c_str(), 1);
    (void)repository.run({"check", "--new-from-rev", "HEAD"});
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  for (int i = 0; i < 500 && !std::filesystem::exists(tools.path() + "/done"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(std::filesystem::exists(tools.path() + "/done"));
  CHECK(std::filesystem::is_empty(temporary.path()));
}
