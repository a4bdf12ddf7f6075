// C, C++ and CUDA host code to IR, through Clang: one translation unit in, a module per file of the project out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint {

// How a translation unit is compiled: a line of compile_commands.json, or nothing, and then flags are inferred.
struct CompileCommand {
  std::string directory;               // where relative paths start; empty: the current folder
  std::vector<std::string> arguments;  // without the compiler and the file; empty: inferred
};

// Any bytes are acceptable: what can not be read becomes a diagnostic of the module, and the rest is lowered all the
// same. The first module is the file's own; the others are the headers of the project whose functions it holds, each
// with those functions that this unit defines (inline functions, instantiated templates). Keeps no state between
// calls, so it may be called from several threads at once.
std::vector<ir::Module> lower_cpp(const std::string& path, std::string_view bytes, const CompileCommand& command = {});

}  // namespace ranklint
