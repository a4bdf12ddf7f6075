// Reads the text form of the IR; docs/ir.md describes it. Inverse to ir::print.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/base/result.h"
#include "analyzer/ir/ir.h"

namespace ranklint::ir {

// Any bytes are acceptable. Fails at the first thing that is not the text form, with its line and column;
// `path` is for the error only. What parses need not be sound: ir::verify says.
Result<Module> parse(std::string_view text, const std::string& path = {});

}  // namespace ranklint::ir
