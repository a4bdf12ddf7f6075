// What a workspace keeps of a file, and that it makes no difference to a check.
#include "analyzer/project/workspace.h"

#include <catch2/catch.hpp>

#include "analyzer/project/shared.h"
#include "tests/project/python.h"

namespace ranklint {
namespace {

constexpr const char* kGuarded =
    "import torch.distributed as dist\nfrom sync import wait\n"
    "def step():\n  if dist.get_rank() == 0:\n    wait()\n";
constexpr const char* kWaits = "import torch.distributed as dist\ndef wait():\n  dist.barrier()\n";
constexpr const char* kDoesNot = "def wait():\n  pass\n";

size_t mismatches(const Workspace& workspace) {
  static const Models models = Models::builtin();
  return check(workspace.snapshot(), models, {}).shared->mismatches.size();
}

TEST_CASE("a file that is put again is checked as it is now, with the others as they were") {
  Workspace workspace(python);
  workspace.put({{.path = "train.py", .bytes = kGuarded}, {.path = "sync.py", .bytes = kWaits}}, Models::builtin(), {});
  CHECK(mismatches(workspace) == 1);
  workspace.put({.path = "sync.py", .bytes = kDoesNot});
  CHECK(mismatches(workspace) == 0);
  workspace.put({.path = "sync.py", .bytes = kWaits});
  CHECK(mismatches(workspace) == 1);
}

TEST_CASE("a file that is removed is gone for the others") {
  Workspace workspace(python);
  workspace.put({{.path = "train.py", .bytes = kGuarded}, {.path = "sync.py", .bytes = kWaits}}, Models::builtin(), {});
  workspace.remove("sync.py");
  CHECK(mismatches(workspace) == 0);
}

TEST_CASE("a snapshot stays what it was when the workspace goes on") {
  Workspace workspace(python);
  workspace.put({{.path = "train.py", .bytes = kGuarded}, {.path = "sync.py", .bytes = kWaits}}, Models::builtin(), {});
  const Workspace::Snapshot before = workspace.snapshot();
  workspace.put({.path = "sync.py", .bytes = kDoesNot});
  const Models models = Models::builtin();
  CHECK(check(before, models, {}).shared->mismatches.size() == 1);
}

}  // namespace
}  // namespace ranklint
