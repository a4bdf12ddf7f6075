#include <catch2/catch.hpp>

#include "runtime/group/watch/findings.h"

namespace ranklint::runtime::test {

TEST_CASE("of those that a late rank waits for only the ones that run are slow") {
  std::vector<RankState> states(4);
  for (int rank = 0; rank < 4; ++rank) states[static_cast<size_t>(rank)].rank = rank;
  states[0].phase = states[1].phase = RankPhase::Waiting;
  states[0].waits_for = {1, 2, 3};
  states[3].phase = RankPhase::Finished;
  const Verdict verdict = timeout_verdict(states, 0);
  CHECK(verdict.odd_ranks == std::vector<int>{1, 2, 3});
  CHECK(verdict.message.ends_with(" for ranks 1, 2, 3; still running, so slow and not deadlocked: rank 2"));
}

TEST_CASE("a time-out of a rank whose queue is not in the call names no other rank") {
  std::vector<RankState> states(2);
  states[1].rank = 1;
  const Verdict verdict = timeout_verdict(states, 1);
  CHECK(verdict.kind == VerdictKind::Timeout);
  CHECK(verdict.odd_ranks == std::vector<int>{1});
  CHECK(verdict.message == "timed out: rank 1 waits for a call that its queue has not come to, or is carrying out");
}

}  // namespace ranklint::runtime::test
