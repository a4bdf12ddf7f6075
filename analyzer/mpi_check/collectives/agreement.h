// Whether what the ranks give to one collective fits together. What does not is reported.
#pragma once

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

// Root, operator, buffer in place and message of each against each. All have arrived.
bool fit_together(World& world, const Collective& collective);

// Reports that the rank of the call issues it where the others of the collective issue another one.
void report_mismatch(World& world, const Collective& collective, Call& call);

}  // namespace ranklint::mpi_check
