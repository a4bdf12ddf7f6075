// What `run_program` does alike whatever carries the ranks.
#pragma once

#include <functional>
#include <string>

#include "runtime/group/world.h"

namespace ranklint::runtime {

inline constexpr int kUsageError = 2;

struct ProgramArguments {
  const char* program = "PROGRAM";
  uint64_t schedules = 1;  // 0: the arguments make no sense
  std::string records;     // empty: none are written
  bool asks_ranks = false;

  bool runs() const { return schedules != 0 && !asks_ranks; }
};

// `--schedules N`: how often to run, each time with other delays; `--records PREFIX`: leave each rank's flight record
// of the last run in PREFIX and its number; `--ranks`: print the world's size, for who starts it.
ProgramArguments parse_program_arguments(int argc, char** argv);

// As threads; a verdict that ends the world is on standard error as soon as it is known, unless `options` say whom else
// to tell.
WorldReport run_threads(int world_size, const std::function<void(RankContext&)>& body, WorldOptions options);

// The program's exit code. `speaks`: print the verdict, which one process does for all.
int run_schedules(const ProgramArguments& arguments, int world_size, const WorldOptions& options,
                  const std::function<WorldReport(const WorldOptions&)>& run, bool speaks = true);

}  // namespace ranklint::runtime
