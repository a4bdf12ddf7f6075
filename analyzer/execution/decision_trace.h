// The way that a comparison took to a mismatch, kept so that each rank can be sent along it again by itself.
//
// What a rank decides by its number needs no keeping. What does are the decisions nothing determines: on an unknown
// condition, on one more round of a loop, on one of several functions that a call may mean. Each is a decision, known
// by where it was taken (the path of call sites, the function, the block) and in the order in which it was taken.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analyzer/execution/path_condition.h"

namespace ranklint {

struct Decision {
  enum class Kind : uint8_t { Side, Target, Divergence };
  Kind kind = Kind::Side;
  uint32_t path = 0;  // Binding::path of the frame
  FunctionKey function;
  ir::BlockId block;
  uint32_t chosen = 0;  // Side: the successor; Target: the function that the call enters

  bool at_same_place(const Decision& other) const {
    return path == other.path && function == other.function && block == other.block;
  }
};

// Of one rank class.
struct RankClassTrace {
  uint32_t rank = 0;
  PathCondition own;  // what it saw by itself
  std::vector<Decision> decisions;
};

struct DecisionTrace {
  FunctionKey root;
  std::vector<ValueId> captures;  // what its closure variables hold, if that is known
  AxisSet group;
  std::optional<AxisSet> other_group;
  ValueId members;        // the list the group's members were taken from, if known
  bool by_local = false;  // the classes differ in what they see, not in their rank
  PathCondition shared;
  ValueId condition;             // where they diverge, in the root's terms; invalid: they did not
  RankClassTrace first, second;  // the first waits
  ValueId guard;                 // only ranks where this holds run the root at all; invalid: all do
};

}  // namespace ranklint
