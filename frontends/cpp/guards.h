// Macros that switch communication on.
//
// Many programs compile with and without MPI: `#ifdef USE_MPI`, `#if MULTI_GPU`. Where no compile command says which,
// the side that communicates is the one to read: macros that a file asks for around its include of mpi.h or nccl.h, and
// those that are common enough for headers that are included from elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ranklint::cpp {

// Names, each once, in the order of the text.
std::vector<std::string> communication_macros(std::string_view bytes);

}  // namespace ranklint::cpp
