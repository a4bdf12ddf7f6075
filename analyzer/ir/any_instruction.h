// Whether a function has an instruction of a kind.
#pragma once

#include <algorithm>

#include "analyzer/ir/ir.h"

namespace ranklint::ir {

template <typename IsSuch>
bool any_instruction(const Function& f, const IsSuch& is_such) {
  return std::ranges::any_of(f.blocks,
                             [&](const Block& block) { return std::ranges::any_of(block.instructions, is_such); });
}

}  // namespace ranklint::ir
