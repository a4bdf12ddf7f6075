// Groups that only some ranks make. A rank that does not make a group is not a member, so no member waits for it.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether the group is the result of an unknown call, in this function or in one that it calls, under a condition on
// which ranks diverge: `if (rank < 2) { MPI_Comm_create_group(..., &part); MPI_Barrier(part); }`. Or what such a
// function has grown from the communicator of one process, step by step. Or an attribute that is set under such
// conditions only: `if rank == 0: self.group = connect(engines)`.
bool is_made_by_some(const Query& query, const Summary& summary, ValueId group);

}  // namespace ranklint
