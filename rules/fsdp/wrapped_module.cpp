#include "rules/fsdp/wrapped_module.h"

#include "analyzer/questions/callee.h"

namespace ranklint {

ir::ExprId wrapped_module(const Query& in, const Link& link) {
  const FunctionCode code(in.index(), *in.summary(link.function));
  const ir::Instruction& call = code.ir.blocks[link.call.block].instructions[link.call.instruction];
  // The callee may go by no name, as a partial does: then it is given the module as the first of those that are known.
  const RoleEntry* shards = role_of(in, code, call, Role::ShardsModel);
  const Roles& roles = in.roles();
  return given_for(code, call,
                   shards ? *shards : *roles.find(roles.names_in(Role::ShardsModel).front(), Role::ShardsModel));
}

}  // namespace ranklint
