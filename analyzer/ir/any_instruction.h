// Looking for an instruction of a function.
#pragma once

#include <algorithm>

#include "analyzer/ir/ir.h"

namespace ranklint::ir {

template <typename IsSuch>
bool any_instruction(const Function& f, const IsSuch& is_such) {
  return std::ranges::any_of(f.blocks,
                             [&](const Block& block) { return std::ranges::any_of(block.instructions, is_such); });
}

// The call whose result stands there, unnamed; null: it is something else.
inline const Instruction* call_giving(const Function& f, ExprId e) {
  const Symbol name = f.exprs[e].symbol;
  if (f.exprs[e].kind != ExprKind::Name || !SymbolTable::is_temporary(name)) return nullptr;
  for (const Block& block : f.blocks)
    for (const Instruction& i : block.instructions)
      if (i.kind == InstructionKind::Call && i.target.valid() && f.exprs[i.target].kind == ExprKind::Name &&
          f.exprs[i.target].symbol == name)
        return &i;
  return nullptr;
}

}  // namespace ranklint::ir
