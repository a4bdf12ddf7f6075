// The conditions of a module as its source writes them, for messages.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/ir/ir.h"

namespace ranklint::ir {

// Fills Module::quotes from the bytes of the module's file. What is too long for a message is cut off after a word;
// what spans several lines with a comment among them is left out.
void quote_conditions(Module& module, std::string_view bytes);

// Null: the module does not quote the range.
const Quote* quote_of(const Module& module, const SourceRange& range);

}  // namespace ranklint::ir
