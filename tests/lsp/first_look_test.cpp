// What is opened is looked at before the folder has been checked.
#include <catch2/catch.hpp>

#include <future>

#include "tests/app/world.h"
#include "tests/lsp/session.h"

namespace ranklint::test {
namespace {

constexpr const char* kHelper = "import torch.distributed as dist\ndef meet():\n    dist.barrier()\n";
constexpr const char* kCaller =
    "import torch.distributed as dist\nimport helper\nif dist.get_rank() == 0:\n    helper.meet()\n";

// An editor in which `train.py` is opened while the folder is being read.
struct Editor {
  Editor() {
    folder.write("pyproject.toml", "[tool.ranklint]\nexclude = [\"left_out.py\"]\n");
    folder.write("helper.py", kHelper);
    folder.write("train.py", kImport);
    folder.write("late.py", kGuarded);
    folder.write("left_out.py", kGuarded);
    session.start();
    session.open("left_out.py", kGuarded);
    session.open("train.py", kCaller);
  }

  TempFolder folder;
  std::promise<void> may_read;
  Session session{folder.path(), engine_that_waits(may_read, "late.py")};
};

}  // namespace

TEST_CASE("an open file is shown with what it imports before the folder has been read") {
  Editor editor;
  Session& session = editor.session;
  const Json first = session.next_published();
  REQUIRE(first.size() == 1);
  CHECK(first[0]["range"]["start"]["line"] == 3);
  CHECK(session.diagnostics("late.py").empty());
  editor.may_read.set_value();
  session.settle();
  CHECK(session.diagnostics("train.py").size() == 1);
  CHECK(session.diagnostics("late.py").size() == 1);
}

TEST_CASE("looks at several open files are shown side by side, and what is left out is not looked at") {
  Editor editor;
  Session& session = editor.session;
  CHECK(session.next_published().size() == 1);
  session.open("helper.py", std::string(kHelper) + "if dist.get_rank() == 0:\n    meet()\n");
  CHECK(session.next_published().size() == 1);
  CHECK(session.diagnostics("train.py").size() == 1);
  CHECK(session.diagnostics("helper.py").size() == 1);
  CHECK(session.diagnostics("left_out.py").empty());
  editor.may_read.set_value();
  session.settle();
}

TEST_CASE("a look that is going on does not keep the server from leaving") {
  Editor editor;
  Session& session = editor.session;
  editor.may_read.set_value();
  CHECK(session.finish() == 1);  // without a `shutdown`
}

}  // namespace ranklint::test
