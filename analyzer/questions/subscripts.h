// Where a function takes an element out of something, with the place where that is evaluated.
#pragma once

#include "analyzer/questions/code.h"

namespace ranklint {

struct Subscript {
  ir::ExprId container, index;
  ProgramPoint at;
  SourceRange range;  // of the instruction or of the block's end
};

// From the outside inwards, in the order in which they stand.
template <typename Visit>
void for_each_subscript(const FunctionCode& code, ir::ExprId e, ProgramPoint at, SourceRange range,
                        const Visit& visit) {
  if (!e.valid()) return;
  const auto children = ir::children(code.ir, e);
  if (code.ir.exprs[e].kind == ir::ExprKind::Subscript) visit(Subscript{children[0], children[1], at, range});
  for (const ir::ExprId child : children) for_each_subscript(code, child, at, range, visit);
}

template <typename Visit>
void for_each_subscript(const FunctionCode& code, const Visit& visit) {
  for (const ir::BlockId b : code.graph().order()) {
    const ir::Block& block = code.ir.blocks[b];
    for (uint32_t i = 0; i < block.instructions.size(); ++i) {
      const ir::Instruction& instruction = block.instructions[i];
      for_each_subscript(code, instruction.value, {b, i}, instruction.range, visit);
      for (const ir::Argument& a : ir::arguments(code.ir, instruction))
        for_each_subscript(code, a.value, {b, i}, instruction.range, visit);
    }
    for_each_subscript(code, block.terminator.value, {b, static_cast<uint32_t>(block.instructions.size())},
                       block.terminator.range, visit);
  }
}

}  // namespace ranklint
