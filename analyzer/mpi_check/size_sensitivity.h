// Communication that a run did not reach because its world was too small.
//
// `if (size > 256) MPI_Reduce(...)` is not reached by four ranks. The constants that a program compares with say from
// which size on it behaves differently. Where a communicating call was not reached by any rank, worlds just above those
// numbers are run too.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/machine/program.h"

namespace ranklint::mpi_check {

using CallPlaces = std::set<std::pair<std::string, SourceRange>>;  // files and ranges

// Where the function sends, receives or meets others.
CallPlaces meetings_of(const machine::Program& program, const machine::Function& function);

// Calls by which ranks meet, in these functions, that are not among those that were made.
CallPlaces unmade_meetings(const machine::Program& program, const std::set<uint32_t>& functions,
                           const CallPlaces& made);

// Sizes of worlds that are larger, by two, than a number with which these functions compare something; a few, the
// smallest first.
std::vector<uint32_t> sizes_above(const machine::Program& program, const std::set<uint32_t>& functions, uint32_t size);

}  // namespace ranklint::mpi_check
