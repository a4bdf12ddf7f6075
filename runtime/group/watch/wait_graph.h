// Which ranks can never go on, exactly: from who waits for whom, without any clock.
//
// A node runs, is gone (returned or threw), or waits. A waiting node has conditions that must all be met. Each needs
// all of its targets to act, or any one of them, or is beyond hope. The stuck nodes are a greatest fixed point: suppose
// that every waiting node is stuck, and release one as soon as none of its conditions needs a stuck or gone node any
// more:
//
//     D = waiting + gone;  repeat: take a waiting node out of D whose every condition can still be met by nodes outside
//
// until nothing changes. It ends because D only shrinks. What remains can not be moved by anything that the others
// still do, so it is a deadlock even while they compute; and what was released may be slow, but is no deadlock.
#pragma once

#include <cstdint>
#include <vector>

namespace ranklint::runtime {

struct WaitCondition {
  enum class Needs : uint8_t { AllOf, AnyOf, Nothing };  // Nothing: can never be met
  Needs needs = Needs::AllOf;
  std::vector<int> targets;
};

struct WaitNode {
  enum class State : uint8_t { Running, Waiting, Gone };
  State state = State::Running;
  std::vector<WaitCondition> conditions;  // of a waiting node; those already met are left out
};

// Per node: does it wait forever?
std::vector<bool> find_stuck(const std::vector<WaitNode>& nodes);

// Would one more node, which no other node waits for, wait forever?
bool would_be_stuck(std::vector<WaitNode> nodes, WaitNode one_more);

}  // namespace ranklint::runtime
