// A bug of ours in one function, in one stage, in one file: all others are judged as they would be without it.
#include <catch2/catch.hpp>

#include <algorithm>
#include <any>
#include <new>
#include <set>
#include <stdexcept>

#include "analyzer/base/check.h"
#include "analyzer/base/ids.h"
#include "analyzer/base/sanitizers.h"
#include "analyzer/base/stack_room.h"
#include "analyzer/ir/verify.h"
#include "analyzer/project/project.h"
#include "analyzer/project/shared.h"
#include "analyzer/project/workspace.h"
#include "analyzer/questions/calls.h"
#include "analyzer/summary/query.h"
#include "rules/rule.h"
#include "tests/project/python.h"

namespace ranklint {
namespace {

// `hangs` is the one that each test still wants found; `tangled` comes by every stage.
constexpr const char* kHangs = R"(
import torch.distributed as dist

def hangs(x):
    if dist.get_rank() == 0:
        dist.all_reduce(x)
)";

constexpr const char* kTangled = R"(
import torch.distributed as dist
from functools import partial

class Keeper:
    def __init__(self, x):
        self.x = x

    def forward(self, y):
        dist.all_reduce(self.x + y)
        return self.inner(y)

    def inner(self, y):
        for name in {"a", "b"}:
            dist.broadcast(y, 0)
        try:
            y.load()
        except OSError:
            dist.barrier()

def helper(act, x):
    act(x)

def tangled(x, y):
    keeper = Keeper(x)
    work = dist.all_reduce(y, async_op=True)
    helper(lambda z: dist.barrier(), x)
    if dist.get_rank() == 0:
        keeper.forward(y)
    helper(partial(dist.broadcast, src=0), y)
    for item in loader(x):
        dist.send(item, 1)
    return work

def loader(x):
    dist.barrier()
    yield x
)";

using Probe = std::function<void(std::string_view stage, std::string_view function)>;

const Models& models() {
  static const Models kModels = Models::builtin();
  return kModels;
}

Analysis check(const Probe& probe) {
  return analyze({{.path = "hangs.py", .bytes = kHangs}, {.path = "tangled.py", .bytes = kTangled}}, models(), python,
                 {.threads = 1, .passes = passes_of(all_rules()), .probe = probe, .replays = true});
}

bool finds_hang(const Analysis& analysis) {
  return std::ranges::any_of(analysis.shared->mismatches, [&](const Mismatch& m) {
    return analysis.shared->index->qualified_name(m.function).ends_with("hangs");
  });
}

using Stage = std::pair<std::string, std::string>;  // and the function; empty: all

std::set<Stage> all_stages() {
  std::set<Stage> stages;
  check([&](std::string_view stage, std::string_view function) {
    stages.insert({std::string(stage), std::string(function)});
  });
  return stages;
}

// Runs the check with a bug in each stage of each function but `hangs`, one after the other; or of one function only.
void break_each(const std::function<void()>& bug, std::string_view only = {}) {
  for (const Stage& broken : all_stages()) {
    if (broken.second.ends_with("hangs") || broken.second.empty() || (!only.empty() && broken.second != only)) continue;
    INFO(broken.first << " of " << broken.second);
    const Analysis analysis = check([&](std::string_view stage, std::string_view function) {
      if (stage == broken.first && function == broken.second) bug();
    });
    REQUIRE_FALSE(analysis.broken.empty());
    CHECK(analysis.broken.front().stage == broken.first);
    CHECK(analysis.broken.front().function == broken.second);
    CHECK((analysis.broken.front().path == "tangled.py" || broken.second == "<module>"));  // of either file
    CHECK(finds_hang(analysis));
  }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winfinite-recursion"
[[gnu::noinline]] int nest_without_end(int level) {
  require_stack_room();
  volatile char frame[256] = {};
  return nest_without_end(level + 1) + frame[level % 256];
}
#pragma GCC diagnostic pop

}  // namespace

TEST_CASE("a check without a bug has nothing to say of any, and comes by many stages") {
  const Analysis analysis = check({});
  CHECK(analysis.broken.empty());
  CHECK(finds_hang(analysis));
  std::set<std::string> names;
  for (const Stage& stage : all_stages()) names.insert(stage.first);
  CHECK(names.size() >= 15);
}

TEST_CASE("a broken invariant costs the function in which it shows, whatever the stage") {
  break_each([] {
    const IdVector<ir::ExprId, int> none;
    (void)none[ir::ExprId{7}];
  });
}

TEST_CASE("so does the end of memory") {
  break_each([] { throw std::bad_alloc(); });
}

TEST_CASE("so does a stack that has no room left") {
  // The address sanitizer does not follow the unwinding of stacks beyond 64 MiB, and reports what it then no longer
  // knows; with a sanitizer they are larger.
  if constexpr (kHasLargeFrames) {
    WARN("left out under a sanitizer");
    return;
  }
  break_each([] { nest_without_end(0); }, "tangled");
}

TEST_CASE("a bug in a stage that is about no single function costs that stage") {
  for (const Stage& broken : all_stages()) {
    if (!broken.second.empty()) continue;
    INFO(broken.first);
    const Analysis analysis = check([&](std::string_view stage, std::string_view function) {
      if (stage == broken.first && function.empty()) throw std::runtime_error("no more");
    });
    REQUIRE_FALSE(analysis.broken.empty());
    CHECK(analysis.broken.front().stage == broken.first);
    CHECK(analysis.broken.front().what == "exception: no more");
    CHECK((finds_hang(analysis) || broken.first == "comparison of ranks" || broken.first == "effects"));
  }
}

TEST_CASE("a pass in which a bug shows is named, and what the others found is there") {
  const Pass counts{"counting",
                    [](const Query& in, const Shared&) -> std::any { return size_t{in.index().functions().size()}; }};
  const Pass breaks{"breaking", [](const Query&, const Shared&) -> std::any { throw std::bad_alloc(); }};
  for (const unsigned threads : {1u, 2u}) {
    const Analysis analysis = analyze({{.path = "hangs.py", .bytes = kHangs}}, models(), python,
                                      {.threads = threads, .passes = {breaks, counts}});
    REQUIRE(analysis.broken.size() == 1);
    CHECK(analysis.broken[0].stage == "breaking");
    REQUIRE(analysis.found.size() == 1);
    CHECK(std::any_cast<size_t>(analysis.found.at("counting")) == analysis.function_count);
  }
}

TEST_CASE("what was broken is named with its place in the source") {
  const Analysis analysis = check([](std::string_view stage, std::string_view function) {
    if (stage == "summary" && function.ends_with("tangled")) RANKLINT_CHECK(1 + 1 == 3, "numbers");
  });
  REQUIRE(analysis.broken.size() == 1);
  CHECK(analysis.broken[0].what.starts_with("tests/project/containment_test.cpp:"));
  CHECK(analysis.broken[0].what.ends_with(": numbers (1 + 1 == 3)"));
  CHECK(analysis.broken[0].line > 1);
}

TEST_CASE("a property that a branch asks for within a `try` is a call as any other") {
  const std::string before = "import torch.distributed as dist\nclass Keeper:\n  @property\n  def size(self):\n";
  const std::string after =
      "    return text\n  def waits(self, x):\n    try:\n      if self.size:\n        x.load()\n    except OSError:\n  "
      "    return None\n";
  const std::string reads = "    text = open('size').read()\n", waits = "    dist.barrier()\n";
  for (const std::string& body : {reads + waits, waits + reads}) {
    const Analysis analysis = analyze({{.path = "a.py", .bytes = before + body + after}}, models(), python,
                                      {.passes = passes_of(all_rules())});
    CHECK(analysis.broken.empty());
  }
}

TEST_CASE("a file that a bug keeps from being read is named, and the others are judged") {
  const Frontend frontend = [](const std::string& path, std::string_view bytes) -> LoweredSource {
    if (path == "tangled.py") RANKLINT_CHECK(bytes.empty(), "an empty file");
    return python(path, bytes);
  };
  const std::vector<SourceFile> files{{.path = "hangs.py", .bytes = kHangs}, {.path = "tangled.py", .bytes = kTangled}};
  const Analysis analysis = analyze(files, models(), frontend, {});
  REQUIRE(analysis.broken.size() == 1);
  CHECK(analysis.broken[0].path == "tangled.py");
  CHECK(analysis.broken[0].function.empty());
  CHECK(analysis.broken[0].stage == "reading");
  CHECK(finds_hang(analysis));

  Workspace workspace(frontend);
  for (const SourceFile& file : files) workspace.put(file);
  CHECK(check(workspace.snapshot(), models(), {}).broken.size() == 1);
}

TEST_CASE("a function whose body a bug keeps from being lowered is named, and the others of its file are judged") {
  for (const std::string_view name : {"tangled", "tangled.<lambda>", "Keeper.inner", "<class Keeper>", "loader"}) {
    INFO(name);
    const Frontend frontend = [&](const std::string& path, std::string_view bytes) -> LoweredSource {
      std::vector<ir::Module> modules;
      modules.push_back(lower_python(path, bytes, [&](std::string_view function) {
        if (function == name) throw std::bad_alloc();
      }));
      CHECK(ir::verify(modules.front()).empty());
      return modules;
    };
    const Analysis analysis =
        analyze({{.path = "all.py", .bytes = std::string(kTangled) + kHangs}}, models(), frontend, {});
    REQUIRE(analysis.broken.size() == 1);
    CHECK(analysis.broken[0].function == name);
    CHECK(analysis.broken[0].stage == "lowering");
    CHECK(analysis.broken[0].what == "out of memory");
    CHECK(analysis.broken[0].line > 1);
    CHECK(finds_hang(analysis));
  }
}

TEST_CASE("a session judges the next edit after one in which a bug showed") {
  bool is_broken = false;
  Workspace workspace(python);
  workspace.put({.path = "hangs.py", .bytes = kHangs});
  workspace.put({.path = "tangled.py", .bytes = kTangled});
  const std::unique_ptr<Session> session =
      session_of(workspace.snapshot(), models(),
                 {.probe =
                      [&](std::string_view stage, std::string_view function) {
                        if (is_broken && stage == "summary" && function.ends_with("hangs")) throw std::bad_alloc();
                      }},
                 {});
  REQUIRE(session);
  is_broken = true;
  const std::optional<Analysis> broken = session->check_again(lower_python("hangs.py", kHangs), true);
  REQUIRE(broken);
  CHECK(broken->broken.size() == 1);
  CHECK_FALSE(finds_hang(*broken));
  is_broken = false;
  const std::optional<Analysis> whole = session->check_again(lower_python("hangs.py", kHangs), true);
  REQUIRE(whole);
  CHECK(whole->broken.empty());
  CHECK(finds_hang(*whole));
}

}  // namespace ranklint
