// The frontends, each for its languages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint::app {

enum class Language { Python, Cpp, Other };

// By the file's name: .py, .pyw; .c, .cc, .cpp, .cxx, .cu and their like.
Language language_of(std::string_view path);

// A frontend of analyzer/project. A C++ file that mentions nothing that communicates is not read. Clang is loaded when the
// first other one comes; where that fails, the file's module is empty and a diagnostic says why.
std::vector<ir::Module> lower_source(const std::string& path, std::string_view bytes);

}  // namespace ranklint::app
