#include "rules/fsdp/wrapped_module.h"

namespace ranklint {

ir::ExprId wrapped_module(const Query& in, const Link& link) {
  const FunctionCode code(in.index(), *in.summary(link.function));
  const ir::Instruction& call = code.ir.blocks[link.call.block].instructions[link.call.instruction];
  for (const ir::Argument& a : ir::arguments(code.ir, call))
    if (a.kind == ir::ArgumentKind::Keyword && code.text.text(a.keyword) == "module") return a.value;
  return first_argument(code, call);
}

}  // namespace ranklint
