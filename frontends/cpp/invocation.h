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

// Parses the unit and shows its tree to `read`, which is called once at most: not when Clang could not even start.
// Returns what could not be read, as diagnostics of the main file.
std::vector<ir::Diagnostic> parse_unit(const std::string& path, std::string_view bytes, const CompileCommand& command,
                                       const std::function<void(clang::ASTContext&)>& read);

}  // namespace ranklint::cpp
