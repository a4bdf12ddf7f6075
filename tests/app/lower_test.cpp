// `ranklint lower` and `check --lowered`: what was read before is used where it is of the same text and build, and a
// report is what it is without.
#include <catch2/catch.hpp>

#include <filesystem>
#include <set>
#include <sstream>

#include "app/engine/engine.h"
#include "tests/app/world.h"

namespace ranklint::test {
namespace {

using Args = std::vector<std::string>;

struct Run {
  int status = 0;
  std::string out, err;
  std::set<std::string> known;  // files that had been read before
};

// A project whose checks keep nothing of their own.
struct Project {
  Project() {
    folder.write(
        "train.py",
        "from sync import all_wait\nimport torch.distributed as dist\n\nif dist.get_rank() == 0:\n    all_wait()\n");
    folder.write("sync.py", "import torch.distributed as dist\n\n\ndef all_wait():\n    dist.barrier()\n");
  }

  Run run(const Args& args) const {
    Run run;
    std::ostringstream out, err;
    app::Io io{.read_stdin = [] { return std::string(); },
               .out = out,
               .err = err,
               .environment = [](const std::string&) { return std::nullopt; },
               .cwd = folder.path()};
    app::Engine engine = app::real_engine();
    engine.identity = build;
    engine.frontend = [&run, real = engine.frontend](const app::Reading& reading) -> Result<Frontend> {
      return Frontend(
          [&run, kept = reading.kept, read = real(reading).value()](const std::string& path, std::string_view bytes) {
            // The key by which the frontend asks for Python.
            if (kept && kept->find(Digester().add(path).add(bytes).digest())) run.known.insert(path);
            return read(path, bytes);
          });
    };
    run.status = app::run(args, io, engine);
    run.out = out.str();
    run.err = err.str();
    return run;
  }
  // One thread: the frontend notes what it is asked.
  Run check(Args folders) const {
    Args args{"check", "-j", "1", "--no-cache", "--output-format", "json"};
    for (std::string& lowered : folders) args.insert(args.end(), {"--lowered", std::move(lowered)});
    return run(args);
  }

  TempFolder folder;
  std::string build = "build 1";
};

}  // namespace

TEST_CASE("files that were lowered one by one are used together, and the report is the same") {
  const Project project;
  const Run plain = project.check({});
  CHECK(plain.status == 1);
  CHECK(plain.known.empty());
  CHECK(project.run({"lower", "--output", "out/deep/train", "train.py"}).status == 0);
  CHECK(project.run({"lower", "--output", "out/sync", "sync.py"}).status == 0);
  const Run first = project.check({"out/deep/train"}), both = project.check({"out/deep/train", "out/sync"});
  CHECK(first.known == std::set<std::string>{"train.py"});
  CHECK(both.known == std::set<std::string>{"sync.py", "train.py"});
  CHECK(first.out == plain.out);
  CHECK(both.out == plain.out);
}

TEST_CASE("what was lowered of another text or by another build is not used") {
  Project project;
  CHECK(project.run({"lower", "--output", "out", "."}).status == 0);
  project.folder.write("sync.py", "def all_wait():\n    pass\n");
  const Run edited = project.check({"out"});
  CHECK(edited.known == std::set<std::string>{"train.py"});
  CHECK(edited.out == project.check({}).out);
  project.build = "build 2";
  CHECK(project.check({"out"}).known.empty());
}

TEST_CASE("a folder that `ranklint lower` did not write is refused, and nothing is written into one of other things") {
  const Project project;
  project.folder.write("notes/a.txt", "");
  const Run check = project.check({"notes"});
  CHECK(check.status == 2);
  CHECK(check.err == "ranklint: notes: is no folder that `ranklint lower` wrote\n");
  const Run lower = project.run({"lower", "--output", "notes", "train.py"});
  CHECK(lower.status == 2);
  CHECK(lower.err == "ranklint: notes: cannot be written, or holds other things; name a folder of its own\n");
  CHECK(project.run({"lower", "--output", "out", "gone.py"}).status == 2);
  CHECK_FALSE(std::filesystem::exists(project.folder.path() + "/out"));
}

}  // namespace ranklint::test
