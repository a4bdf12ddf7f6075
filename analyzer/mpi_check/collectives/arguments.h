// The arguments of one rank's call of a collective: its buffers and lists, read by the letters of the signature and
// checked before the ranks meet.
#pragma once

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

// The data buffers of the call, by the letters of its signature.
void fill_buffers(Call& call, Part& part);

// The lists of counts and offsets, which only the root needs where there is one. Whether the call can go on.
bool fill_lists(Call& call, const Comm& comm, const Movement& moves, Part& part);

// Counts below zero, buffers in place where they may not be, memory that is missing, too small or used twice. What is
// wrong is reported. Whether the call can go on.
bool check_part(Call& call, const Comm& comm, const Movement& moves, const Part& part);

// The rank looks at the memory of its part now; or, as the operation goes on, may not touch it until that is over.
void touch_buffers(Call& call, const Comm& comm, const Movement& moves, const Part& part);
void hold_parts(World& world, uint32_t operation, const Comm& comm, const Part& part, const Movement& moves);

}  // namespace ranklint::mpi_check
