// What a call does to files, as it is written.
#pragma once

#include <initializer_list>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"

namespace ranklint {

// torch.save(items, path), items.to_csv(path), open(path, "w")
inline bool writes_file(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  return in.priors().suggest(name_of_callee(code, call), NameMeaning::Writer) ||
         plays(in, code, call, Role::MakesFolder) || plays(in, code, call, Role::FillsFolder) ||
         (plays(in, code, call, Role::ReadsFile) && opens_to_write(code, call));
}

// The path of `os.makedirs(path)` and of `path.mkdir()`. Invalid: it is given none.
inline ir::ExprId path_told(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  const bool is_method =
      code.ir.exprs[call.value].kind == ir::ExprKind::Attribute && !names_in_library(in.index(), code, call.value);
  return is_method ? ir::children(code.ir, call.value)[0] : first_argument(code, call);
}

// The same, as a value.
inline ValueId path_told(const Query& in, const Call& call) {
  const ValueId object = in.receiver_of(call.callee);
  return object.valid() || call.positional.empty() ? object : call.positional[0];
}

// The path that a call is given by one of the roles, as it is written and as a value. Invalid: it plays none of them,
// or is given none.
inline ir::ExprId file_given(const Query& in, const FunctionCode& code, const ir::Instruction& call,
                             std::initializer_list<Role> roles) {
  if (call.kind != ir::InstructionKind::Call) return {};
  for (const Role role : roles)
    if (const RoleEntry* entry = role_of(in, code, call, role)) return given_for(code, call, *entry);
  return {};
}
// By the object that is called as well, `Image.fromarray(sample).save(path)`: `call` is what the instruction comes to.
inline ir::ExprId file_given(const Query& in, const FunctionCode& code, const ir::Instruction& written,
                             const Call& call, std::initializer_list<Role> roles) {
  if (const ir::ExprId path = file_given(in, code, written, roles); path.valid()) return path;
  const std::string callee = in.callee_path(call.callee);
  for (const Role role : roles)
    if (const RoleEntry* entry = in.roles().find(callee, role)) return given_for(code, written, *entry);
  return {};
}
inline ValueId file_given(const Query& in, const Call& call, std::initializer_list<Role> roles) {
  for (const Role role : roles)
    if (const RoleEntry* entry = in.roles().find(in.callee_path(call.callee), role))
      return in.argument(call, entry->argument);
  return {};
}

}  // namespace ranklint
