// What a call gives: in the text, for one of its parameters, and as values.
#pragma once

#include <algorithm>
#include <string_view>

#include "analyzer/summary/summary.h"

namespace ranklint {

// The expression for a parameter, by its keyword or by its position (negative: it has none). Invalid: none is seen.
ir::ExprId given_for(const ir::Function& f, const ir::Module& module, const ir::Instruction& call, int position,
                     std::string_view keyword);

// Whether one of the arguments is wanted; those behind a star are not asked about.
template <typename Wanted>
bool gives(const Call& call, Wanted wanted) {
  return std::ranges::any_of(call.positional, wanted) ||
         std::ranges::any_of(call.keywords, [&](const auto& k) { return wanted(k.second); });
}

}  // namespace ranklint
