// A C program with its `main` as steps of a machine (analyzer/machine/), for who wants to run it.
#pragma once

#include <memory>

#include "analyzer/machine/program.h"
#include "frontends/cpp/frontend.h"

namespace ranklint {

// Null when the unit has no `main`, or its program calls nothing of MPI.
std::shared_ptr<const machine::Program> lower_program(const std::string& path, std::string_view bytes, const CompileCommand& command = {});

}  // namespace ranklint
