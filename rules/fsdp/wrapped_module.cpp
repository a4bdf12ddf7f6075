#include "rules/fsdp/wrapped_module.h"

#include "analyzer/questions/callee.h"

namespace ranklint {

ir::ExprId wrapped_module(const Query& in, const Link& link) {
  const FunctionCode code(in.index(), *in.summary(link.function));
  const ir::Instruction& call = code.ir.blocks[link.call.block].instructions[link.call.instruction];
  // The callee may go by no name, as a partial does: of each that shards a model this is the same argument.
  const Roles& roles = in.roles();
  return given_for(code, call, *roles.find(roles.names_in(Role::ShardsModel).front(), Role::ShardsModel));
}

}  // namespace ranklint
