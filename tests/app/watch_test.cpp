// Watching, without a clock: what a report is followed by is what the next check sees, and the last one is followed by
// the end.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <array>

#include "app/files/discover.h"
#include "app/files/watcher.h"
#include "tests/app/world.h"

using namespace ranklint;
using namespace ranklint::test;
using Catch::Contains;

namespace {

struct Pipe {
  std::array<int, 2> ends{};
  Pipe() { REQUIRE(::pipe(ends.data()) == 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends) ::close(end);
  }
  void write() const { REQUIRE(::write(ends[1], "x", 1) == 1); }
};

// A check that is followed by these steps, one after each report, and by the end after the last.
Outcome watched(World& world, const std::vector<std::function<void()>>& steps, std::vector<std::string> flags = {}) {
  const Pipe stop;
  size_t at = 0;
  world.stop_fd = stop.ends[0];
  world.after_report = [&] {
    if (at < steps.size())
      steps[at]();
    else
      stop.write();
    ++at;
  };
  flags.insert(flags.begin(), {"check", "--watch"});
  Outcome outcome = world.run(flags);
  world.after_report = {};
  CHECK(at == steps.size() + 1);
  return outcome;
}

}  // namespace

TEST_CASE("a check follows each change, and the end follows the user's word with the last status") {
  World world;
  world.folder.write("a.py", "x\n");
  const Outcome outcome =
      watched(world, {[&] { world.folder.write("a.py", "BUG\n"); }, [&] { world.folder.write("b.py", "LOOP\n"); },
                      [&] { world.folder.write("new/deep/c.py", "BUG\n"); },
                      [&] { world.folder.write("new/deep/c.py", "x\n"); },
                      [&] { std::filesystem::remove(world.folder.path() + "/a.py"); }});
  CHECK(outcome.out ==
        "end of report\n"
        "a.py:1:1 RL101 found BUG\nend of report\n"
        "a.py:1:1 RL101 found BUG\nb.py:1:1 RL104 found LOOP\nend of report\n"
        "a.py:1:1 RL101 found BUG\nb.py:1:1 RL104 found LOOP\nnew/deep/c.py:1:1 RL101 found BUG\nend of report\n"
        "a.py:1:1 RL101 found BUG\nb.py:1:1 RL104 found LOOP\nend of report\n"
        "b.py:1:1 RL104 found LOOP\nend of report\n");
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.err, Contains("Ctrl-C ends"));
}

TEST_CASE("a file that is moved into place, as editors save, is a change") {
  World world;
  world.folder.write("a.py", "x\n");
  const Outcome outcome =
      watched(world, {[&] {
                world.folder.write("a.py~", "BUG\n");
                std::filesystem::rename(world.folder.path() + "/a.py~", world.folder.path() + "/a.py");
              }});
  CHECK(outcome.out == "end of report\na.py:1:1 RL101 found BUG\nend of report\n");
}

TEST_CASE("a configuration that changes holds from then on, and a broken one does not end the watch") {
  World world;
  world.folder.write("a.py", "BUG\n");
  const Outcome outcome = watched(world, {[&] { world.folder.write("ranklint.toml", "ignore = [\"RL101\"]\n"); },
                                          [&] { world.folder.write("ranklint.toml", "ignore = []\n"); }});
  CHECK(outcome.out ==
        "a.py:1:1 RL101 found BUG\nend of report\nend of report\na.py:1:1 RL101 found BUG\nend of report\n");
}

TEST_CASE("what is no source and no folder of sources is no change") {
  for (const char* name : {"a.py", "ring.cu", "ring.cuh", "launch.sh", ".gitignore"})
    CHECK(app::may_change_sources(name, false));
  for (const char* name : {"a.py~", ".a.py.swp", "4913", "notes.txt", "report.json", "index.lock"})
    CHECK_FALSE(app::may_change_sources(name, false));
  CHECK(app::may_change_sources("train", true));
  CHECK_FALSE(app::may_change_sources("__pycache__", true));
  CHECK_FALSE(app::may_change_sources(".git", true));
}

TEST_CASE("a watcher is told of folders that are not there, and ends when it is asked to") {
  const TempFolder folder;
  const Pipe stop;
  Result<app::Watcher> watcher = app::Watcher::open();
  REQUIRE(watcher);
  REQUIRE_FALSE(watcher->watch({folder.path(), folder.path() + "/not-there"}));
  stop.write();
  CHECK_FALSE(watcher->wait([](const std::string&, std::string_view, bool) { return true; },
                            std::chrono::milliseconds(1), stop.ends[0]));
}

TEST_CASE("watching goes with nothing that changes sources or reads others") {
  const World world;
  for (const char* flag : {"--fix", "--diff", "--add-ignore=x", "--staged", "--new-from-rev=HEAD"}) {
    const Outcome outcome = world.run({"check", "--watch", flag});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("use it without"));
  }
  CHECK_THAT(world.run({"check", "--watch", "-"}).err, Contains("name the file"));
}

TEST_CASE("what a named file imports is watched with it, wherever it lies") {
  World world;
  world.folder.write(".git/HEAD", "");
  world.folder.write("tools/a.py", "import common.b\n");
  world.folder.write("common/b.py", "x\n");
  const Outcome outcome = watched(world, {[&] { world.folder.write("common/b.py", "y\n"); }}, {"tools/a.py"});
  CHECK(outcome.out == "end of report\nend of report\n");
}
