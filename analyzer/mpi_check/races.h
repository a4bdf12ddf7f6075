// A receive from any source may take any of several messages that fit. Whether that matters is seen from runs in which
// it takes another one.
//
// Two receives that could each have had the other's message are reported, unless the program queries the source, or its
// runs show that the order does not matter: the received value is read and depends on the sender, and yet all runs make
// the same calls with the same values and send the same (numbers that are added, the largest of them). And where the
// program aborts the job for one order and finishes for another, it assumes that order although it queries the source.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/mpi_check/world.h"

namespace ranklint::mpi_check {

// During a run: a message could have been another one, and comes to this memory; what reads it, and which rank sent it.
void begin_race(World& world, Race race, const Value& memory);
void note_read(World& world, const Machine& m, const machine::Access& access);

// What a rank calls and sends is part of what it shows, from its first such message on.
void show_call(World& world, const Machine& m, const std::string& name, std::span<const Value> arguments);
void show_items(World& world, uint32_t rank, std::span<const Value> items, bool known);

// The races of the runs of one size.
class Races {
 public:
  void hear(World& world);        // when it has ended
  std::vector<Problem> settle();  // when all have

 private:
  using Branches = std::vector<uint32_t>;  // what was chosen of what all ranks share
  struct Runs {
    size_t finished = 0;
    std::vector<uint64_t> shown = {};  // by rank, of the first
    bool differ = false;
    std::vector<Problem> open = {};   // matter if the runs differ
    std::vector<Problem> fatal = {};  // matter if a run came to its end
  };

  std::map<Branches, Runs> runs_ = {};
  std::vector<Problem> certain_ = {};
};

}  // namespace ranklint::mpi_check
