// What a call says in the text for one of its parameters.
#pragma once

#include <string_view>

#include "analyzer/ir/ir.h"

namespace ranklint {

// The expression for a parameter, by its keyword or by its position (negative: it has none). Invalid: none is seen.
ir::ExprId given_for(const ir::Function& f, const ir::Module& module, const ir::Instruction& call, int position, std::string_view keyword);

}  // namespace ranklint
