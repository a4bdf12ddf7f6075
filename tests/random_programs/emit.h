// One description in three languages.
#pragma once

#include <string>

#include "tests/random_programs/program.h"

namespace ranklint::random_programs {

std::string as_ir(const Program& program);              // the text form of the IR
std::string as_python(const Program& program);          // with torch.distributed and Megatron's groups
std::string as_python_on_mesh(const Program& program);  // with torch.distributed and a DeviceMesh
std::string as_cpp(const Program& program);             // with MPI

// A C++ program that runs the first function with these choices. The world is the only group there is.
struct Hang;
std::string as_cpp_program(const Program& program, const Hang& choices);

}  // namespace ranklint::random_programs
