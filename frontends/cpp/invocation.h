// From a file and its compile command to Clang's syntax tree.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"
#include "frontends/cpp/frontend.h"

namespace clang {
class ASTContext;
}

namespace ranklint::cpp {

// What could not be read.
struct ParseNotes {
  std::vector<ir::Diagnostic> diagnostics = {};  // of the main file
  bool misses_headers = false;
  bool crashed = false;  // what was read until then is not to be trusted
  // Where code was not understood, as raw encodings of locations in files. What Clang can take in spite of an error (a
  // function that nothing declares, an integer for a pointer) is not among it.
  std::vector<uint32_t> broken_places = {};
  std::vector<Observation> seen = {};  // CppUnit::seen
};

// Parses the unit and shows its tree to `read`, which is called once at most: not when Clang could not even start. The
// path is absolute, or relative to where the command starts.
ParseNotes parse_unit(const std::string& path, std::string_view bytes, const CompileCommand& command,
                      const std::function<void(clang::ASTContext&, const ParseNotes&)>& read);

}  // namespace ranklint::cpp
