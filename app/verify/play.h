// A replay on the runtime's process groups.
#pragma once

#include "analyzer/execution/replay.h"
#include "runtime/group/program.h"

namespace ranklint::app {

struct Play {
  runtime::WorldReport report;
  std::vector<size_t> at;  // per rank: the step that it has not got past; after the last: it has finished
};

// `from[rank]`: how many steps of the rank are left out.
Play play(const Replay& replay, const std::vector<size_t>& from);

}  // namespace ranklint::app
