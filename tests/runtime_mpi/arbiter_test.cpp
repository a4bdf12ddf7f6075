// When the arbiter reports a verdict while a rank still computes. Times are given, none is measured.
#include "runtime/mpi/arbiter.h"

#include <catch2/catch.hpp>

#include "runtime/group/watch/own_time.h"

using namespace ranklint::runtime;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr seconds kSettle{1};
const Arbiter::Time kStart{};

RankReport report_of(int rank, RankPhase phase) {
  RankReport report;
  report.state.rank = rank;
  report.state.phase = phase;
  report.sent = report.received = {0, 0, 0};
  return report;
}

RankReport waiting(int rank, const std::vector<int>& for_ranks) {
  RankReport report = report_of(rank, RankPhase::Waiting);
  report.state.waits_for = for_ranks;
  report.conditions = {{.needs = WaitCondition::Needs::AllOf, .targets = for_ranks}};
  return report;
}

RankReport running(int rank, milliseconds own_time) {
  RankReport report = report_of(rank, RankPhase::Running);
  report.own_time = own_time;
  return report;
}

// Ranks 0 and 1 wait for each other; rank 2 computes.
Arbiter with_two_stuck() {
  Arbiter arbiter(3, kSettle);
  arbiter.take(waiting(0, {1}));
  arbiter.take(waiting(1, {0}));
  return arbiter;
}

}  // namespace

TEST_CASE("a verdict is held back for a rank that is kept from its processor, however long it takes") {
  Arbiter arbiter = with_two_stuck();
  CHECK_FALSE(arbiter.look(kStart));
  CHECK(arbiter.holds_back());
  arbiter.take(running(2, milliseconds(300)));
  CHECK_FALSE(arbiter.look(kStart + 20 * kSettle));
  arbiter.take(waiting(2, {0}));
  const std::optional<Verdict> verdict = arbiter.look(kStart + 21 * kSettle);
  REQUIRE(verdict);
  CHECK(verdict->ranks[2].phase == RankPhase::Waiting);
}

TEST_CASE("a rank that has had its time and has not come is told of as running") {
  Arbiter arbiter = with_two_stuck();
  CHECK_FALSE(arbiter.look(kStart));
  arbiter.take(running(2, kSettle));
  const std::optional<Verdict> verdict = arbiter.look(kStart + milliseconds(1));
  REQUIRE(verdict);
  CHECK(verdict->kind == VerdictKind::Deadlock);
  CHECK(verdict->ranks[2].phase == RankPhase::Running);
}

TEST_CASE("a verdict is held back for letters under way to a rank that waits") {
  const auto posted_to_2 = [](int rank) {
    RankReport report = waiting(rank, {});
    report.conditions.clear();
    report.dispute = Verdict{.kind = VerdictKind::Mismatch};
    report.sent[2] = 1;
    return report;
  };
  Arbiter arbiter(3, kSettle);
  arbiter.take(posted_to_2(0));
  arbiter.take(posted_to_2(1));
  RankReport last = waiting(2, {1});
  last.received = {1, 0, 0};
  arbiter.take(last);
  CHECK_FALSE(arbiter.look(kStart));
  last.received[1] = 1;
  last.state.waits_for.clear();
  arbiter.take(last);
  const std::optional<Verdict> verdict = arbiter.look(kStart);
  REQUIRE(verdict);
  CHECK(verdict->ranks[2].waits_for.empty());
}

TEST_CASE("ranks that wait are not stuck while a letter between them, or of one that has ended, is under way") {
  for (const int sender : {1, 2}) {
    Arbiter arbiter(3, kSettle);
    arbiter.take(waiting(0, {sender}));
    RankReport one = waiting(1, {0}), two = report_of(2, RankPhase::Finished);
    (sender == 1 ? one : two).sent[0] = 1;
    arbiter.take(one);
    arbiter.take(two);
    CHECK_FALSE(arbiter.look(kStart));
    CHECK_FALSE(arbiter.holds_back());
    RankReport received = waiting(0, {sender});
    received.received[static_cast<size_t>(sender)] = 1;
    arbiter.take(received);
    CHECK(arbiter.look(kStart));
  }
}

TEST_CASE("a letter of a rank that has not told of it yet holds no verdict back") {
  Arbiter arbiter = with_two_stuck();
  RankReport first = waiting(0, {1});
  first.received[2] = 1;
  arbiter.take(first);
  arbiter.take(running(2, kSettle));
  CHECK(arbiter.look(kStart));
}

TEST_CASE("of what ranks say of a disagreement a waiting one's word counts") {
  Arbiter arbiter(2, kSettle);
  for (const int rank : {0, 1}) {
    RankReport report = report_of(rank, rank == 0 ? RankPhase::Finished : RankPhase::Waiting);
    report.sent = report.received = {0, 0};
    report.dispute = Verdict{.kind = VerdictKind::Mismatch, .message = "as rank " + std::to_string(rank) + " saw it"};
    arbiter.take(report);
  }
  const std::optional<Verdict> verdict = arbiter.look(kStart);
  REQUIRE(verdict);
  CHECK(verdict->message == "as rank 1 saw it");
}

TEST_CASE("ranks that disagreed and all have ended did not end well") {
  Arbiter arbiter(2, kSettle);
  for (const int rank : {0, 1}) {
    RankReport report = report_of(rank, RankPhase::Finished);
    report.sent = report.received = {0, 0};
    if (rank == 1) report.dispute = Verdict{.kind = VerdictKind::Mismatch};
    arbiter.take(report);
  }
  const std::optional<Verdict> verdict = arbiter.look(kStart);
  REQUIRE(verdict);
  CHECK(verdict->kind == VerdictKind::Mismatch);
}

TEST_CASE("no rank holds a verdict back forever") {
  Arbiter arbiter = with_two_stuck();
  CHECK_FALSE(arbiter.look(kStart));
  CHECK(arbiter.look(kStart + ranklint::runtime::kLongestHold));
}

TEST_CASE("what ranks have left is told when each has heard of all letters that the others sent") {
  Arbiter arbiter(3, kSettle);
  RankReport sender = report_of(0, RankPhase::Finished), receiver = report_of(1, RankPhase::Finished);
  sender.sent[1] = 1;
  arbiter.take(sender);
  arbiter.take(receiver);
  arbiter.take(report_of(2, RankPhase::Finished));
  CHECK_FALSE(arbiter.look(kStart));
  receiver.received[0] = 1;
  receiver.unmet = {
      {.group = 0, .call = {.rank = 0, .phase = RankPhase::Finished, .op = OpType::Send, .waits_for = {1}}}};
  arbiter.take(receiver);
  const std::optional<Verdict> verdict = arbiter.look(kStart);
  REQUIRE(verdict);
  CHECK(verdict->kind == VerdictKind::PeerExited);
  CHECK(verdict->odd_ranks == std::vector<int>{1});
}

TEST_CASE("without a verdict nobody is asked for its time") {
  Arbiter arbiter(3, kSettle);
  arbiter.take(waiting(0, {2}));
  CHECK_FALSE(arbiter.look(kStart + 100 * kSettle));
  CHECK_FALSE(arbiter.holds_back());
}
