// Programs that are run in small worlds (analyzer/worlds/), and what their runs say of the other facts.
#pragma once

#include <memory>
#include <vector>

namespace ranklint {

struct Analysis;  // analyzer/project/project.h
namespace machine {
struct Program;  // analyzer/machine/program.h
}

// Adds the programs' runs to the facts. Where a run is exact, or has found where the ranks part, it
// knows better than what was judged of each function alone: those facts go.
void run_small_worlds(const std::vector<std::shared_ptr<const machine::Program>>& units, Analysis& analysis);

}  // namespace ranklint
