// Programs that are run in small worlds (analyzer/mpi_check/), and what their runs say of the functions that were
// judged alone.
#pragma once

#include <memory>
#include <vector>

#include "analyzer/project/project.h"

namespace ranklint {

using Programs = std::vector<std::shared_ptr<const machine::Program>>;

// Adds the programs' runs to what is shared. Where a run is exact, or has found where the ranks diverge, it knows
// better than what was judged of each function alone, and Shared::run_through names the functions.
void run_mpi_programs(const Programs& units, Shared& shared, std::vector<BrokenPiece>& broken);

}  // namespace ranklint
