// What a call in a function's text is a call of, by the roles of what it names.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/program/given_for.h"
#include "analyzer/questions/code.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// Null: it does not play the role.
inline const RoleEntry* role_of(const Query& in, const FunctionCode& code, const ir::Instruction& call, Role role) {
  return role_of(in.roles(), in.index(), code.module, code.ir, call.value, role);
}

inline bool plays(const Query& in, const FunctionCode& code, const ir::Instruction& call, Role role) {
  return role_of(in, code, call, role) != nullptr;
}

// Whether it is the name of a library's module: `torch` of `torch.cat(parts)`, also where the function itself imports
// it.
bool names_library(const ProjectIndex& index, const FunctionCode& code, ir::ExprId e);
// Whether it names what is in such a module: `sys.stdout`, `os.devnull`.
bool names_in_library(const ProjectIndex& index, const FunctionCode& code, ir::ExprId e);

// What the call gives for the argument that the role is about; invalid: nothing.
inline ir::ExprId given_for(const FunctionCode& code, const ir::Instruction& call, const RoleEntry& entry) {
  return given_for(code.ir, code.text, call, entry.argument.position, entry.argument.keyword);
}

// The last part of how the callee is written; empty: it has no name.
std::string_view name_of_callee(const FunctionCode& code, const ir::Instruction& call);

// Whether the function names something anywhere, as a variable or as an attribute, that plays the role, or of which its
// name makes likely that it has the meaning.
bool names_one(const Query& in, const FunctionCode& code, Role role);
bool names_one(const Query& in, const FunctionCode& code, NameMeaning meaning);

// Whether a file of the function's programs names something that plays the role: the variable that chooses which GPUs a
// process sees (Role::HidesDevices), what binds it to one (Role::BindsDevice).
bool programs_name(const Query& in, FunctionKey f, Role role);

// Whether the value came to be at the place of a call.
bool is_made_at(const Query& in, ValueId v, const Site& call);

// Whether a text may be a mode in which files are opened: "r", "wb+".
bool is_mode_of_file(std::string_view text);
// `open(path, "w")`: by a mode among the arguments of what else reads a file.
bool opens_to_write(const FunctionCode& code, const ir::Instruction& call);
// `open(path, "a")`: likewise, after what is there.
bool opens_to_append(const FunctionCode& code, const ir::Instruction& call);

}  // namespace ranklint
