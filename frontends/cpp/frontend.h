// C, C++ and CUDA host code to IR, through Clang: one translation unit in, a module per file of the project out.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/observation.h"
#include "analyzer/ir/ir.h"
#include "analyzer/machine/program.h"

namespace ranklint {

// A file whose text is not the one on disk.
struct UnsavedFile {
  std::string path;  // absolute
  std::shared_ptr<const std::string> text;
};

// How a translation unit is compiled: a line of compile_commands.json, or nothing, and then flags are inferred.
struct CompileCommand {
  std::string directory = {};               // where relative paths of the arguments start; empty: `shown_from`
  std::vector<std::string> arguments = {};  // without the compiler and the file
  bool known = false;                       // else flags are inferred
  // The folder that paths are relative to, those given and those of the modules. Empty: the current folder.
  std::string shown_from = {};
  std::vector<UnsavedFile> unsaved = {};  // files that it may include
};

// What one parse of a unit gives.
struct CppUnit {
  std::vector<ir::Module> modules = {};
  std::shared_ptr<const machine::Program> program = {};  // null when no program could need anything of it
  std::string broken = {};                 // what a bug of ours broke, where one kept the file from being lowered whole
  std::vector<std::string> included = {};  // files other than those of the system; paths as those of the modules
  std::vector<Observation> seen = {};      // of the machine: headers, where they are not, what it is
};

// Any bytes are acceptable: what can not be read becomes a diagnostic of the module, and the rest is lowered all the
// same. The first module is the file's own; the others are the headers of the project whose functions it holds, each
// with those functions that this unit defines (inline functions, instantiated templates). Keeps no state between
// calls, so it may be called from several threads at once.
CppUnit lower_cpp(const std::string& path, std::string_view bytes, const CompileCommand& command = {});

}  // namespace ranklint
