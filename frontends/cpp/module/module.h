// How the program and its C++ module meet: the module's one symbol, looked up by name. Both are built together, so C++
// types may cross.
#pragma once

#include "frontends/cpp/frontend.h"

extern "C" {
using RanklintLowerCpp = void (*)(const std::string& path, std::string_view bytes,
                                  const ranklint::CompileCommand& command, ranklint::CppUnit& out);
void ranklint_lower_cpp(const std::string& path, std::string_view bytes, const ranklint::CompileCommand& command,
                        ranklint::CppUnit& out);
}
