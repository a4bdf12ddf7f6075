// Grids and graphs of ranks: what the calls that make them and those that ask for them have in common.
#pragma once

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

// The communicator that the call is given first; null: it is not known.
const Comm* first_comm(Call& call);
// The same with a grid; null as well where it has none, which is then reported.
const Comm* known_cart(Call& call);

// Where a rank stands in a grid, and the rank that stands there; `kProcNull` beyond the end of a line.
std::vector<int64_t> coordinates(const Topology& t, int64_t rank);
int64_t rank_at(const Topology& t, std::vector<int64_t> at);

}  // namespace ranklint::mpi_check
