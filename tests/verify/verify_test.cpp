// Runs of replays written by hand: what each verdict takes.
#include <catch2/catch.hpp>

#include "app/verify/verify.h"

namespace ranklint::test {

namespace {

constexpr SourceRange kLine7{7, 1, 7, 9}, kLine9{9, 1, 9, 9};

ReplayStep step(const std::string& op, uint32_t group, SourceRange range) {
  ReplayStep out;
  out.op = op;
  out.group = group;
  out.path = "train.py";
  out.range = range;
  return out;
}

// Four ranks, group 0 the world, group 1 "sp" of two and two; a rank is to wait at line 7.
Replay four_ranks() {
  Replay replay;
  replay.world_size = 4;
  replay.groups = {{"world", {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}}},
                   {"sp", {{0, 1}, {0, 1}, {2, 3}, {2, 3}}}};
  replay.ranks.resize(4);
  replay.fails.assign(4, false);
  replay.waiter = 0;
  replay.diverged.assign(4, 0);
  replay.parts = true;
  replay.path = "train.py";
  replay.waits = kLine7;
  return replay;
}

Verdict run(Replay replay) {
  Finding finding;
  finding.replay = std::make_shared<const Replay>(std::move(replay));
  return app::verify(finding);
}

}  // namespace

TEST_CASE("a rank that waits where the finding says confirms it, and each rank says where it is") {
  Replay replay = four_ranks();
  replay.ranks[0] = {step("all_to_all", 1, kLine7), step("broadcast", 0, kLine9)};
  for (size_t rank = 1; rank < 4; ++rank) replay.ranks[rank] = {step("broadcast", 0, kLine9)};
  const Verdict verdict = run(replay);
  CHECK(verdict.kind == Verdict::Kind::Confirmed);
  REQUIRE(verdict.ranks.size() == 4);
  CHECK(verdict.ranks[0] == "rank 0 waits in `all_to_all` on `sp` at train.py:7, for rank 1");
  CHECK(verdict.ranks[1] == "rank 1 waits in `broadcast` on `world` at train.py:9, for rank 0");
}

TEST_CASE("ranks that all finish refute a finding") {
  Replay replay = four_ranks();
  for (auto& rank : replay.ranks) rank = {step("all_to_all", 1, kLine7), step("state_dict", 0, kLine9)};
  CHECK(run(replay).kind == Verdict::Kind::Refuted);
}

TEST_CASE("ranks that finish without coming to where they part refute nothing") {
  Replay replay = four_ranks();
  replay.parts = false;
  CHECK(run(replay).kind == Verdict::Kind::NotReplayable);
}

TEST_CASE("a hazard on the way does not confirm the finding behind it, which is run from where its ranks part") {
  Replay replay = four_ranks();
  for (auto& rank : replay.ranks) rank = {step("barrier", 0, kLine7)};
  replay.ranks[0].insert(replay.ranks[0].begin(), step("all_reduce", 0, kLine9));
  CHECK(run(replay).kind == Verdict::Kind::NotReplayable);
  replay.diverged = {1, 1, 0, 0};
  const Verdict verdict = run(replay);
  CHECK(verdict.kind == Verdict::Kind::Confirmed);
  CHECK(verdict.reason.ends_with("from where they part"));
}

TEST_CASE("one operation with two roots, two reductions, two sizes or two names is a disagreement") {
  const auto with = [](auto change) {
    Replay replay = four_ranks();
    for (auto& rank : replay.ranks) rank = {step("broadcast", 0, kLine7)};
    change(replay.ranks[2][0]);
    return run(replay).kind;
  };
  CHECK(with([](ReplayStep&) {}) == Verdict::Kind::Refuted);
  CHECK(with([](ReplayStep& s) { s.root = 1; }) == Verdict::Kind::Confirmed);
  CHECK(with([](ReplayStep& s) { s.size = 1; }) == Verdict::Kind::Confirmed);
  CHECK(with([](ReplayStep& s) { s.tag = "b"; }) == Verdict::Kind::Confirmed);
  CHECK(with([](ReplayStep& s) { s.op = "all_reduce"; }) == Verdict::Kind::Confirmed);
}

TEST_CASE("a collective of a rank that is no member fails there, and the finding is confirmed") {
  Replay replay = four_ranks();
  replay.waiter = 2;
  replay.groups[1].ranks_of = {{0, 1}, {0, 1}, {0, 1}, {0, 1}};
  for (size_t rank = 0; rank < 3; ++rank) replay.ranks[rank] = {step("all_reduce", 1, kLine7)};
  CHECK(run(replay).kind == Verdict::Kind::Confirmed);
}

TEST_CASE("a finding without steps is not replayable and says why") {
  const Verdict verdict = app::verify(Finding{});
  CHECK(verdict.kind == Verdict::Kind::NotReplayable);
  CHECK(!verdict.reason.empty());
}

TEST_CASE("what is refuted is withdrawn and kept apart") {
  std::vector<Finding> findings(2);
  Replay replay = four_ranks();
  for (auto& rank : replay.ranks) rank = {step("barrier", 0, kLine7)};
  findings[0].message = "wrong";
  findings[0].replay = std::make_shared<const Replay>(replay);
  const Verified verified = app::verify_all(findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].verdict->kind == Verdict::Kind::NotReplayable);
  REQUIRE(verified.refuted.size() == 1);
  CHECK(verified.refuted[0].message == "wrong");
  CHECK(verified.confirmed == 0);
}

}  // namespace ranklint::test
