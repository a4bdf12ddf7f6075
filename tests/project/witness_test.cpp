// What a witness tells of the way that a rank takes.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "analyzer/project/project.h"
#include "analyzer/project/shared.h"
#include "tests/project/python.h"

namespace ranklint {
namespace {

TEST_CASE("a call that was left again is not on the way to the collective") {
  const std::string program =
      "import torch.distributed as dist\n"
      "def look(x, often):\n  if often:\n    dist.all_reduce(x)\n"
      "def meet(x):\n  look(x, False)\n  dist.barrier()\n"
      "def step(x):\n  if dist.get_rank() == 0:\n    look(x, False)\n    meet(x)\n";
  const Models models = Models::builtin();
  const Analysis analysis =
      analyze({{.path = "a.py", .bytes = program}}, models, python, {.threads = 1, .watched = {}, .progress = {}});
  REQUIRE(analysis.shared->mismatches.size() == 1);
  std::vector<uint32_t> lines;
  for (const PathStep& step : analysis.shared->mismatches.front().first.steps) lines.push_back(step.range.line);
  CHECK(lines == std::vector<uint32_t>{9, 11, 7});
}

}  // namespace
}  // namespace ranklint
