// One file judged again in a session that keeps all others as they were checked.
#include "analyzer/project/session.h"

#include <catch2/catch.hpp>

#include "analyzer/project/shared.h"
#include "frontends/python/frontend.h"

namespace ranklint {
namespace {

constexpr const char* kTrain =
    "import torch.distributed as dist\nfrom sync import wait\n\n"
    "def step():\n  if dist.get_rank() == 0:\n    wait()\n\n"
    "def plain():\n  wait()\n";
constexpr const char* kSync = "import torch.distributed as dist\ndef wait():\n  dist.barrier()\n";

using Files = std::vector<std::pair<std::string, std::string>>;

class Project {
 public:
  explicit Project(const Files& files) : session_(lowered(files), models_, {}) {}

  // Lines of the functions where ranks were found to part, in the file as it is now.
  std::vector<uint32_t> parted(const std::string& path, const std::string& text) {
    const std::optional<Analysis> again = session_.check_again(lower_python(path, text), true);
    REQUIRE(again);
    std::vector<uint32_t> lines;
    for (const Mismatch& m : again->shared->mismatches)
      if (again->shared->reported[again->shared->index->functions()[m.function].module.index])
        lines.push_back(m.guard.line);
    return lines;
  }
  Session& session() { return session_; }

 private:
  static std::vector<LoweredFile> lowered(const Files& files) {
    std::vector<LoweredFile> all;
    for (const auto& [path, text] : files) {
      LoweredFile& file = all.emplace_back(LoweredFile{.path = path, .modules = {}});
      file.modules.push_back(lower_python(path, text));
    }
    return all;
  }
  const Models models_ = Models::builtin();
  Session session_;
};

using Lines = std::vector<uint32_t>;

TEST_CASE("a file that is judged again as it was gives what the check of all gave") {
  Project project(Files{{"sync.py", kSync}, {"train.py", kTrain}});
  CHECK(project.session().analysis().shared->mismatches.size() == 1);
  CHECK(project.parted("train.py", kTrain) == Lines{5});
}

TEST_CASE("of functions that are not judged again those stand in that were checked, and their places are told apart") {
  const std::string text =
      "import torch.distributed as dist\n\ndef wait():\n  dist.barrier()\n\ndef step():\n  wait()\n";
  Project project(Files{{"a.py", text}});
  const std::string edited_text =
      "# one\n" + text.substr(0, text.find("  wait()")) + "  if dist.get_rank() == 0:\n    wait()\n";
  ir::Module edited = lower_python("a.py", edited_text);
  std::vector<bool> touched;
  for (const ir::Function& f : edited.functions) touched.push_back(edited.text(f.name) == "step");
  const std::optional<Analysis> again = project.session().check_again(std::move(edited), true, touched);
  REQUIRE(again);
  REQUIRE(again->shared->mismatches.size() == 1);
  const Mismatch& parted = again->shared->mismatches.front();
  CHECK(parted.guard.line == 8);
  const PathStep& collective = parted.first.steps.back();
  CHECK(collective.range.line == 4);
  CHECK(again->shared->index->functions()[collective.function].module == again->shared->checked_before);
}

TEST_CASE("a check that is asked to stop has nothing to say") {
  std::stop_source stop;
  stop.request_stop();
  LoweredFile file{.path = "train.py", .modules = {}};
  file.modules.push_back(lower_python("train.py", kTrain));
  std::vector<LoweredFile> files;
  files.push_back(std::move(file));
  const Models models = Models::builtin();
  Session session(std::move(files), models, {}, stop.get_token());
  CHECK(session.is_broken_off());
  CHECK(!session.check_again(lower_python("train.py", kTrain), true));
}

TEST_CASE("what was typed is judged, each time anew") {
  Project project(Files{{"sync.py", kSync}, {"train.py", kTrain}});
  const std::string text = kTrain;
  CHECK(project.parted("train.py", "# one\n" + text) == Lines{6});
  CHECK(project.parted("train.py",
                       text + "\ndef other(rank):\n  if dist.get_rank() != 1:\n    dist.all_reduce(rank)\n") ==
        Lines{5, 12});
  CHECK(project.parted("train.py", "def step():\n  pass\n").empty());
  CHECK(project.parted("train.py", text) == Lines{5});
}

TEST_CASE("a callee that was edited is judged in its own file, through what calls it there") {
  Project project(Files{{"sync.py", "def wait():\n  pass\n"}, {"train.py", kTrain}});
  CHECK(project.parted("train.py", kTrain).empty());
  CHECK(project.parted("sync.py", std::string(kSync) + "\ndef some():\n  if dist.get_rank() == 0:\n    wait()\n") ==
        Lines{6});
}

TEST_CASE("a method of a class of the edited file is the new one, also where another file makes the object") {
  const std::string meter =
      "import torch.distributed as dist\nimport maker\n\nclass Meter:\n  def flush(self):\n    pass\n\n"
      "def report():\n  meter = maker.make()\n  if dist.get_rank() == 0:\n    meter.flush()\n";
  Project project(Files{{"maker.py", "from meter import Meter\ndef make():\n  return Meter()\n"}, {"meter.py", meter}});
  CHECK(project.parted("meter.py", meter).empty());
  std::string edited = meter;
  edited.replace(edited.find("    pass"), 8, "    dist.barrier()");
  CHECK(project.parted("meter.py", edited) == Lines{10});
}

TEST_CASE("a class keeps those that other files derive from it") {
  const std::string base =
      "import torch.distributed as dist\n\nclass Hook:\n  def run(self):\n    raise NotImplementedError\n\n"
      "def fire(hook: Hook):\n  if dist.get_rank() == 0:\n    hook.run()\n";
  Project project(Files{{"base.py", base},
                        {"sync.py",
                         "import torch.distributed as dist\nfrom base import Hook\n\nclass Sync(Hook):\n  def "
                         "run(self):\n    dist.barrier()\n"}});
  CHECK(project.parted("base.py", base) == Lines{8});
}

TEST_CASE("a file that the session does not know can not be judged again") {
  Project project(Files{{"sync.py", kSync}});
  CHECK_FALSE(project.session().check_again(lower_python("new.py", kTrain), true));
}

TEST_CASE("after very many edits all files have to be checked again") {
  Project project(Files{{"sync.py", kSync}});
  std::string text;
  for (int i = 0; i < 500; ++i) text += "def f" + std::to_string(i) + "():\n  pass\n";
  size_t times = 0;
  while (times < 1000 && project.session().check_again(lower_python("sync.py", text), true)) ++times;
  CHECK(times > 20);
  CHECK(times < 200);
}

}  // namespace
}  // namespace ranklint
