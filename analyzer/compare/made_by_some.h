// Groups that only some ranks make: who is not there when a group is made is not a member, and nobody waits for him.
#pragma once

#include "analyzer/summary/interpreter.h"

namespace ranklint {

// Whether the group is what a call gave about which nothing is known, in this function, behind a condition on which ranks
// part: `if (rank < 2) { MPI_Comm_create_group(..., &part); MPI_Barrier(part); }`.
bool is_made_by_some(Interpreter& interpreter, const Summary& summary, ValueId group);

}  // namespace ranklint
