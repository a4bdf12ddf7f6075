// Comments that address ranklint, for suppressions.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint::cpp {

// From the text alone: what stands in strings and in code that is left out by the preprocessor is told apart by Clang's
// lexer, not by its parser. `// ranklint: ...` and `/* ranklint: ... */`.
std::vector<ir::Pragma> find_pragmas(std::string_view bytes);

}  // namespace ranklint::cpp
