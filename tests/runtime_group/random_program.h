// Random SPMD programs: the same list of steps for all ranks, each a collective on a random group or a message,
// blocking or asynchronous. As they stand they are correct in every mode, since all ranks take the steps in one order.
// With one planted fault they can not be carried out, whatever the schedule.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "runtime/group/world.h"

namespace ranklint::runtime::test {

struct Step {
  OpType op = OpType::Barrier;
  size_t group = 0;
  int64_t count = 1;
  bool flat = true;  // each rank's piece is [count]; else [1, count]
  int root = 0;      // place in the group; of a message: the sender
  int peer = 0;      // of a message: the receiver's place
  bool async = false;
  bool left = false;  // asynchronous, and never waited for
};

struct Fault {
  enum class Kind : uint8_t { None, Skip, Twice, Return, Throw, OtherCount, OtherShape, OtherType, OtherOperation };
  Kind kind = Kind::None;
  size_t step = 0;
  int rank = 0;  // global
};

struct Program {
  int world_size = 2;
  std::vector<std::vector<int>> groups;  // the first is the world
  std::vector<Step> steps;
  Fault fault;
  uint64_t seed = 0;

  std::string text() const;
};

Program random_program(uint64_t seed);
void plant_fault(Program& program);

// Runs it; a wrong value ends the rank with an error.
WorldReport run(const Program& program, Mode mode);

}  // namespace ranklint::runtime::test
