// The faults that leave a job hanging elsewhere, each ending here with its name.
#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

TEST_CASE("a barrier under a rank condition waits for a rank that has left") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    if (context.rank() == 0) context.world().barrier();
  });
  CHECK(report.verdict.kind == VerdictKind::PeerExited);
  CHECK(report.verdict.odd_ranks == std::vector<int>{1});
  CHECK(report.verdict.ranks[0].op == OpType::Barrier);
  CHECK(report.verdict.ranks[0].waits_for == std::vector<int>{1});
  REQUIRE(report.errors[0]);
  CHECK(report.errors[0]->kind == ErrorKind::PeerFailed);
  CHECK(!report.errors[1]);
}

TEST_CASE("a rank that throws takes those down that wait for it") {
  const WorldReport report = run_world(4, [](RankContext& context) {
    if (context.rank() == 3) throw std::out_of_range("piece 3 of 3");
    context.world().barrier();
  });
  CHECK(report.verdict.kind == VerdictKind::PeerThrew);
  CHECK(report.verdict.odd_ranks == std::vector<int>{3});
  CHECK(report.verdict.ranks[3].error == "piece 3 of 3");
  CHECK(report.verdict.ranks[0].waits_for == std::vector<int>{3});
}

TEST_CASE("different operations in one call are a mismatch, and the majority is right") {
  const WorldReport report = run_world(3, [](RankContext& context) {
    const Tensor tensor = floats({1, 2});
    if (context.rank() == 1)
      context.world().broadcast(tensor, 0);
    else
      context.world().all_reduce(tensor);
  });
  CHECK(report.verdict.kind == VerdictKind::Mismatch);
  CHECK(report.verdict.odd_ranks == std::vector<int>{1});
  REQUIRE(report.errors[2]);
  CHECK(report.errors[2]->kind == ErrorKind::Mismatch);
}

}  // namespace ranklint::runtime::test
