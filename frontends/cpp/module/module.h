// How the program and its C++ module meet: two symbols of the module, looked up by name. C++ types cross, so both have
// to be built with the same ones: `ranklint_cpp_layout` names those of the module (cmake/layout.cmake).
#pragma once

#include "frontends/cpp/frontend.h"

extern "C" {
extern const char ranklint_cpp_layout[];
using RanklintLowerCpp = void (*)(const std::string& path, std::string_view bytes,
                                  const ranklint::CompileCommand& command, ranklint::CppUnit& out);
void ranklint_lower_cpp(const std::string& path, std::string_view bytes, const ranklint::CompileCommand& command,
                        ranklint::CppUnit& out);
}
