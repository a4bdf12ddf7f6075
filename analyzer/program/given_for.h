// What a call gives for one of its parameters, in the text.
#pragma once

#include <string_view>

#include "analyzer/ir/ir.h"

namespace ranklint {

// By its keyword or by its position (negative: it has none). Invalid: none is seen.
ir::ExprId given_for(const ir::Function& f, const ir::Module& module, const ir::Instruction& call, int position,
                     std::string_view keyword);

// Whether the call may give more than is seen: `*args`, `**kwargs`.
bool gives_more(const ir::Function& f, const ir::Instruction& call);

}  // namespace ranklint
