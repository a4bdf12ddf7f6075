// What the server reports about a file that was edited after the last full check.
#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

#include "app/engine/engine.h"
#include "app/lsp/folder.h"
#include "tests/app/world.h"
#include "tests/lsp/session.h"
#include "tests/support/support.h"

namespace ranklint::test {
namespace {

using app::lsp::Folder;
using app::lsp::Text;

constexpr const char* kGuardedStep = "\ndef step():\n  if dist.get_rank() == 0:\n    dist.barrier()\n";

// A folder that was checked once, as a server keeps it; what is typed is not followed by another check.
using Files = std::vector<std::pair<std::string, std::string>>;

class Edited {
 public:
  explicit Edited(const Files& files) : folder_(files_.path(), true) {
    for (const auto& [path, text] : files) files_.write(path, text);
    const app::Io io{.read_stdin = {},
                     .out = ignored_,
                     .err = ignored_,
                     .environment = [](const std::string&) { return std::optional<std::string>(); },
                     .cwd = files_.path()};
    folder_.take(app::lsp::load(folder_.load_job({}), engine_, io, inbox_), {});
    check();
  }

  void check() { folder_.take(app::lsp::check(folder_.check_job())); }
  void put(const std::string& path, const std::string& text) {
    folder_.put(folder_.absolute(path), std::make_shared<const std::string>(text));
  }

  // "RL101:4", by line.
  std::vector<std::string> told(const std::string& path) const {
    std::vector<std::string> all;
    for (const Finding* finding : folder_.findings(path))
      all.push_back(finding->code + ":" + std::to_string(finding->primary.range.line));
    return all;
  }
  const Folder& folder() const { return folder_; }
  app::lsp::CheckJob job() { return folder_.check_job(); }

 private:
  TempFolder files_;
  app::Engine engine_ = app::real_engine();
  std::ostringstream ignored_;
  app::lsp::Inbox inbox_;
  Folder folder_;
};

using Messages = std::vector<std::string>;

TEST_CASE("what was just typed is told before all files have been checked again") {
  Edited edited(Files{{"train.py", kImport}});
  CHECK(edited.told("train.py").empty());
  edited.put("train.py", std::string(kImport) + kGuardedStep);
  CHECK(edited.told("train.py") == Messages{"RL101:5"});
  edited.put("train.py", std::string(kImport) + "\n\n" + kGuardedStep);
  CHECK(edited.told("train.py") == Messages{"RL101:7"});
}

TEST_CASE("what was just put right is told no more") {
  Edited edited(Files{{"train.py", std::string(kImport) + kGuardedStep}});
  CHECK(edited.told("train.py") == Messages{"RL101:5"});
  edited.put("train.py", std::string(kImport) + "\ndef step():\n  dist.barrier()\n");
  CHECK(edited.told("train.py").empty());
  edited.put("train.py", std::string(kImport) + kGuardedStep);
  CHECK(edited.told("train.py") == Messages{"RL101:5"});
}

TEST_CASE("what a caller in another file makes good is not told while something else is typed") {
  const std::string pair = std::string(kImport) +
                           "\ndef begin():\n  if dist.get_rank() != 0:\n    dist.barrier()\n\ndef end():\n  if "
                           "dist.get_rank() == 0:\n    dist.barrier()\n";
  Edited alone(Files{{"pair.py", pair}});
  CHECK(alone.told("pair.py") == Messages{"RL101:5", "RL101:9"});
  Edited edited(Files{{"pair.py", pair}, {"whole.py", "import pair\n\ndef both():\n  pair.begin()\n  pair.end()\n"}});
  CHECK(edited.told("pair.py").empty());
  edited.put("pair.py", "# one\n" + pair);
  CHECK(edited.told("pair.py").empty());
  edited.put("pair.py", pair + "\ndef third():\n  if dist.get_rank() == 0:\n    dist.all_reduce(None)\n");
  CHECK(edited.told("pair.py") == Messages{"RL101:13"});
}

TEST_CASE("a finding that needs a caller in another file stays, and moves with its line") {
  const std::string callee = std::string(kImport) + "\ndef save(flag):\n  if flag:\n    dist.barrier()\n";
  Edited edited(Files{
      {"callee.py", callee},
      {"caller.py", std::string(kImport) + "import callee\n\ndef main():\n  callee.save(dist.get_rank() == 0)\n"}});
  const auto all = [&] { return edited.told("callee.py").size() + edited.told("caller.py").size(); };
  CHECK(all() == 1);
  edited.put("callee.py", "# one\n" + callee);
  CHECK(all() == 1);
}

TEST_CASE("a comment that suppresses counts as soon as it is written, and one that suppresses nothing is told") {
  Edited edited(Files{{"train.py", std::string(kImport) + kGuardedStep}});
  edited.put("train.py", std::string(kImport) +
                             "\ndef step():\n  if dist.get_rank() == 0:\n    dist.barrier()  # ranklint: "
                             "ignore[rank-guarded-collective] meant so\n");
  CHECK(edited.told("train.py").empty());
  edited.put("train.py", std::string(kImport) +
                             "\ndef step():\n  dist.barrier()  # ranklint: ignore[rank-guarded-collective] meant so\n");
  CHECK(edited.told("train.py").size() == 1);
}

TEST_CASE("the other files are told of as the last check found them, until the next") {
  Edited edited(
      Files{{"sync.py", "def wait():\n  pass\n"},
            {"train.py",
             std::string(kImport) + "from sync import wait\n\ndef step():\n  if dist.get_rank() == 0:\n    wait()\n"}});
  CHECK(edited.told("train.py").empty());
  edited.put("sync.py", std::string(kImport) + "\ndef wait():\n  dist.barrier()\n");
  CHECK(edited.told("train.py").empty());
  edited.check();
  CHECK(edited.told("train.py") == Messages{"RL101:6"});
}

TEST_CASE("an edit is told of in the functions that it touches, and what was found in the others moves with them") {
  const std::string other = "\ndef other(x):\n  if dist.get_rank() == 0:\n    dist.all_reduce(x)\n";
  Edited edited(Files{{"train.py", kImport + other}});
  edited.put("train.py", kImport + std::string(kGuardedStep) + other);
  CHECK(edited.told("train.py") == Messages{"RL101:5", "RL101:9"});
  edited.put("train.py", kImport + std::string(kGuardedStep) + "\n" + other + "\ndef main():\n  step()\n");
  CHECK(edited.told("train.py") == Messages{"RL101:5", "RL101:10"});
}

TEST_CASE("what parts in a function that was not touched, because of one that was, is told where it lies now") {
  const std::string helper =
      std::string(kImport) + "\ndef save(flag):\n  if flag:\n    dist.barrier()\n\ndef main():\n  ";
  Edited edited(Files{{"train.py", helper + "save(True)\n"}});
  CHECK(edited.told("train.py").empty());
  edited.put("train.py", "# one\n" + helper + "save(dist.get_rank() == 0)\n");
  const Messages at_once = edited.told("train.py");
  CHECK(at_once.size() == 1);
  edited.check();
  CHECK(edited.told("train.py") == at_once);
}

TEST_CASE("in a file of five thousand lines an edit is told at once, and of the function that it touches alone") {
  std::string text = kImport;
  for (int i = 0; i < 1000; ++i)
    text += "\ndef f" + std::to_string(i) + "(x):\n  y = x\n  dist.all_reduce(y)\n  return y\n";
  Edited edited(Files{{"train.py", text}});
  CHECK(edited.told("train.py").empty());
  edited.put("train.py", text + kGuardedStep);
  CHECK(edited.told("train.py") == Messages{"RL101:5005"});
  CHECK(edited.folder().tells_at_once());
  const auto& judged = edited.folder().outcome()->in_file.at("train.py").alone;
  REQUIRE(judged.size() == 1);
  CHECK(std::ranges::count(judged.begin()->first, true) <= 1);
}

TEST_CASE("a check that is broken off finds nothing and says so") {
  Edited edited(Files{{"train.py", std::string(kImport) + kGuardedStep}});
  CHECK(edited.told("train.py") == Messages{"RL101:5"});
  std::stop_source stop;
  stop.request_stop();
  CHECK(app::lsp::check(edited.job(), stop.get_token())->broken_off);
  CHECK(!app::lsp::check(edited.job())->broken_off);
}

TEST_CASE("half of a statement costs what stands below it nothing") {
  Edited edited(Files{{"train.py", std::string(kImport) + kGuardedStep}});
  edited.put("train.py", std::string(kImport) + "x = [\n" + kGuardedStep);
  edited.put("train.py", std::string(kImport) + "x = [1]\n" + kGuardedStep);
  CHECK(edited.told("train.py") == Messages{"RL101:6"});
}

TEST_CASE("after a check what was edited before it is told as the check has it") {
  Edited edited(Files{{"train.py", kImport}});
  edited.put("train.py", std::string(kImport) + kGuardedStep);
  edited.check();
  CHECK(edited.folder().is_current());
  CHECK(edited.told("train.py") == Messages{"RL101:5"});
}

}  // namespace
}  // namespace ranklint::test
