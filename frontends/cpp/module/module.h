// How the program and its C++ module meet: the module's two symbols, looked up by name. Both are built together, so C++
// types may cross.
#pragma once

#include "frontends/cpp/program.h"

extern "C" {
using RanklintLowerCpp = void (*)(const std::string& path, std::string_view bytes, const ranklint::CompileCommand& command,
                                  std::vector<ranklint::ir::Module>& out);
void ranklint_lower_cpp(const std::string& path, std::string_view bytes, const ranklint::CompileCommand& command,
                        std::vector<ranklint::ir::Module>& out);

using RanklintLowerProgram = void (*)(const std::string& path, std::string_view bytes, std::shared_ptr<const ranklint::machine::Program>& out);
void ranklint_lower_program(const std::string& path, std::string_view bytes, std::shared_ptr<const ranklint::machine::Program>& out);
}
