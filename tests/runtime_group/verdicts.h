// What tests of faults ask of a world's verdict.
#pragma once

#include <functional>
#include <vector>

#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

inline Site at(uint32_t line) { return {"src/train.py", line, "step"}; }

constexpr OpOptions kPlain{};

// Of a world of `world_size` ranks; all must have ended by themselves.
inline Verdict verdict_of(int world_size, const std::function<void(RankContext&)>& body,
                          const WorldOptions& options = {}) {
  return run_world(world_size, body, options).verdict;
}

struct Wait {
  OpType op;
  uint64_t sequence;
  uint32_t line;
  std::vector<int> waits_for;
  bool operator==(const Wait&) const = default;
};

inline Wait wait_of(const Verdict& verdict, size_t rank) {
  const RankState& state = verdict.ranks[rank];
  REQUIRE(state.phase == RankPhase::Waiting);
  return {state.op, state.sequence, state.site.line, state.waits_for};
}

using Ranks = std::vector<int>;

}  // namespace ranklint::runtime::test
