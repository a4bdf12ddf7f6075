// Groups that only some ranks make: who is not there when a group is made is not a member, and nobody waits for him.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether the group is what a call gave about which nothing is known, in this function or in one that it calls, behind
// a condition on which ranks part: `if (rank < 2) { MPI_Comm_create_group(..., &part); MPI_Barrier(part); }`. Or what
// such a function has grown from the communicator of one process, turn by turn. Or an attribute that is set behind such
// conditions only: `if rank == 0: self.group = connect(engines)`.
bool is_made_by_some(const Query& query, const Summary& summary, ValueId group);

}  // namespace ranklint
