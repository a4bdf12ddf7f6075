// What the lanes of a witness say of the condition that parts the ranks.
#include <catch2/catch.hpp>

#include <string>

#include "analyzer/project/project.h"
#include "app/engine/frontends.h"
#include "rules/rule.h"

using namespace ranklint;

namespace {

// Of each lane of the only finding of RL106: who it is, and its first step.
std::vector<std::string> first_steps_in(const std::string& source) {
  const Models models = Models::builtin();
  const Analysis analysis =
      analyze({{.path = "train.py", .bytes = source}}, models, app::lower_source,
              {.threads = 1, .watched = watched_calls(all_rules()), .passes = passes_of(all_rules())});
  std::vector<Finding> found = findings_of(analysis);
  std::erase_if(found, [](const Finding& finding) { return finding.rule != "exception-skips-collective"; });
  REQUIRE(found.size() == 1);
  std::vector<std::string> lanes;
  for (const WitnessLane& lane : found[0].witness.lanes) lanes.push_back(lane.ranks + ": " + lane.steps.at(0).text);
  return lanes;
}

const std::string kHead =
    "import os\n"
    "import torch.distributed as dist\n"
    "def load(path):\n"
    "  if dist.get_rank() == 0:\n";

}  // namespace

TEST_CASE("the rank that raises is the one that the condition holds for") {
  CHECK(first_steps_in(kHead + "    if os.path.exists(path):\n"
                               "      raise FileExistsError(path)\n"
                               "  dist.barrier()\n") ==
        std::vector<std::string>{"the other ranks: `dist.get_rank() == 0` is false",
                                 "a rank that raises: `dist.get_rank() == 0` is true"});
}

TEST_CASE("the ranks that raise are those that the condition does not hold for") {
  CHECK(first_steps_in(kHead + "    pass\n"
                               "  elif os.path.exists(path):\n"
                               "    raise FileExistsError(path)\n"
                               "  dist.barrier()\n") ==
        std::vector<std::string>{"the other ranks: `dist.get_rank() == 0` is true",
                                 "a rank that raises: `dist.get_rank() == 0` is false"});
}
