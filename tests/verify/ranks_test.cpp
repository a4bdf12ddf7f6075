// Which ranks wait where in the run of a finding, held against what the condition says of each.
#include <catch2/catch.hpp>

#include <set>

#include "analyzer/project/project.h"
#include "app/engine/frontends.h"
#include "app/verify/verify.h"
#include "rules/rule.h"

namespace ranklint::test {
namespace {

// The verdict on the only finding of a function that has these lines before it sums.
Verdict verdict_of(const std::string& lines) {
  static const Models kModels = Models::builtin();
  const std::string text =
      "import torch.distributed as dist\n\n\ndef main(x, given):\n    rank, n = dist.get_rank(), "
      "dist.get_world_size()\n" +
      lines + "    dist.all_reduce(x)\n";
  const Analysis analysis = analyze({{.path = "a.py", .bytes = text}}, kModels, app::lower_source,
                                    {.threads = 1,
                                     .watched = watched_calls(all_rules()),
                                     .passes = passes_of(all_rules()),
                                     .progress = {},
                                     .replays = true});
  std::vector<Finding> findings = findings_of(analysis);
  INFO(text);
  REQUIRE(findings.size() == 1);
  return app::verify(findings[0]);
}

// The same where ranks pass this condition to a barrier.
Verdict verdict_on(const std::string& condition, const std::string& before = "") {
  return verdict_of(before + "    if " + condition + ":\n        dist.barrier()\n");
}

// What the verdict says of ranks in the barrier: "rank 0, rank 2", "ranks 0-64".
std::string in_barrier(const Verdict& verdict) {
  std::string ranks;
  for (const std::string& line : verdict.ranks)
    if (line.find("`barrier`") != std::string::npos)
      ranks += (ranks.empty() ? "" : ", ") + line.substr(0, line.find(" wait"));
  return ranks;
}

}  // namespace

TEST_CASE("the ranks that wait in a run are those that meet the condition") {
  CHECK(in_barrier(verdict_on("rank % 2 == 0")) == "rank 0, rank 2");
  CHECK(in_barrier(verdict_on("rank in (0, 3)")) == "rank 0, rank 3");
  CHECK(in_barrier(verdict_on("rank >= n // 2")) == "rank 2, rank 3");
  // As many ranks as the condition asks for, and a line for those that do the same.
  CHECK(in_barrier(verdict_on("n >= 8 and rank == 5")) == "rank 5");
  CHECK(in_barrier(verdict_on("rank > 64")) == "rank 65");
  CHECK(in_barrier(verdict_on("n > 64 and rank % 16 == 0")) == "ranks 0, 16, 32, 48, 64");
}

TEST_CASE("the ranks that wait in a loop are those that have put something into its list") {
  const Verdict verdict = verdict_of(
      "    todo = []\n    if rank == 2:\n        todo.append(x)\n    for t in todo:\n        dist.barrier()\n");
  CHECK(in_barrier(verdict) == "rank 2");
}

TEST_CASE("a run of a program whose terms have their parts in common ends") {
  std::string pairs = "    a = rank\n";
  for (int i = 0; i < 60; ++i) pairs += "    a = (a, a)\n";
  CHECK(verdict_on("a == (given, given)", pairs).kind == Verdict::Kind::Confirmed);
}

TEST_CASE("in a group of listed ranks only these have a number of their own") {
  const std::string makes = "    group = dist.new_group([1, 3])\n";
  CHECK(in_barrier(verdict_on("dist.get_rank(group) == 1", makes)) == "rank 3");
  CHECK(in_barrier(verdict_on("dist.get_rank(group) == -1", makes)) == "rank 0, rank 2");
}

TEST_CASE("where the ranks that meet a condition were not computed, none are said to wait") {
  const std::string list = "    leads = find_leads()\n";
  for (const auto& [condition, before] :
       {std::pair<std::string, std::string>{"rank in leads", list}, {"min(rank, 0, key=given) > 0", ""}}) {
    const Verdict verdict = verdict_on(condition, before);
    CHECK(verdict.kind == Verdict::Kind::NotReplayable);
    CHECK(verdict.reason ==
          "which ranks meet the condition at a.py:" + std::string(before.empty() ? "6" : "7") + " was not computed");
  }
  // There are callers for any value of what they give.
  CHECK(verdict_on("rank in given").kind == Verdict::Kind::Confirmed);
}

}  // namespace ranklint::test
