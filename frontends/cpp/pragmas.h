// Comments that address ranklint, for suppressions.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint::cpp {

// From the text alone: Clang's lexer, not its parser, tells strings and code that the preprocessor leaves out from the
// rest. `// ranklint: ...` and `/* ranklint: ... */`.
std::vector<ir::Pragma> find_pragmas(std::string_view bytes);

}  // namespace ranklint::cpp
