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
         ((plays(in, code, call, Role::ReadsFile) || plays(in, code, call, Role::OpensPath)) &&
          opens_to_write(code, call));
}

// The object of which a method is called. Invalid: it is no method, but a library's own function.
inline ir::ExprId object_called(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  const bool is_method =
      code.ir.exprs[call.value].kind == ir::ExprKind::Attribute && !names_in_library(in.index(), code, call.value);
  return is_method ? ir::children(code.ir, call.value)[0] : ir::ExprId{};
}
inline ValueId object_called(const Query& in, const Call& call) {
  const ValueId object = in.receiver_of(call.callee);
  const bool is_library = object.valid() && (in.values()[object].kind == ValueKind::Module ||
                                             in.values()[object].kind == ValueKind::External);
  return is_library ? ValueId{} : object;
}

// The path of `os.makedirs(path)` and of `path.mkdir()`. Invalid: it is given none.
inline ir::ExprId path_told(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  const ir::ExprId object = object_called(in, code, call);
  return object.valid() ? object : first_argument(code, call);
}
inline ValueId path_told(const Query& in, const Call& call) {
  const ValueId object = object_called(in, call);
  return object.valid() || call.positional.empty() ? object : call.positional[0];
}

// The path of `path.open("w")`. Invalid: what is opened is in the object, such as an archive, and is named first.
inline ir::ExprId path_opened(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  const ir::ExprId first = first_argument(code, call);
  const bool is_mode = first.valid() && code.ir.exprs[first].kind == ir::ExprKind::String &&
                       is_mode_of_file(code.text.text(code.ir.exprs[first].symbol));
  return !first.valid() || is_mode ? object_called(in, code, call) : ir::ExprId{};
}
inline ValueId path_opened(const Query& in, const Call& call) {
  const auto is_mode = [&](const Value& first) {
    return first.kind == ValueKind::Text && is_mode_of_file(in.index().names().text(Symbol{first.a}));
  };
  return call.positional.empty() || is_mode(in.values()[call.positional[0]]) ? object_called(in, call) : ValueId{};
}

// The path that a call is given by one of the roles, or of which it is a method, as it is written and as a value.
// Invalid: it plays none of them, or is given none.
inline ir::ExprId file_given(const Query& in, const FunctionCode& code, const ir::Instruction& call,
                             std::initializer_list<Role> roles) {
  if (call.kind != ir::InstructionKind::Call) return {};
  for (const Role role : roles) {
    const RoleEntry* entry = role_of(in, code, call, role);
    if (!entry) continue;
    if (entry->argument.present()) return given_for(code, call, *entry);
    const ir::ExprId path = role == Role::OpensPath ? path_opened(in, code, call) : object_called(in, code, call);
    if (path.valid()) return path;
  }
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
  for (const Role role : roles) {
    const RoleEntry* entry = in.roles().find(in.callee_path(call.callee), role);
    if (!entry) continue;
    if (entry->argument.present()) return in.argument(call, entry->argument);
    if (const ValueId path = role == Role::OpensPath ? path_opened(in, call) : object_called(in, call); path.valid())
      return path;
  }
  return {};
}

}  // namespace ranklint
