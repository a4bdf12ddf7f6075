// Roles of what an expression names, as the source writes it.
#pragma once

#include <string>

#include "analyzer/resolve/index.h"
#include "analyzer/resolve/roles.h"

namespace ranklint {

// The name under which roles know what the expression names: qualified where an import says whose it is, else as it is
// written; of a method on something without a name "?." and its own. Empty: the project defines it, or it is no name.
std::string foreign_name(const ProjectIndex& index, ModuleKey module, const ir::Function& f, ir::ExprId e);

// Null: it does not play the role.
const RoleEntry* role_of(const Roles& roles, const ProjectIndex& index, ModuleKey module, const ir::Function& f,
                         ir::ExprId callee, Role role);

// Whether the class, or one that it derives from, derives from a library's class in the role.
bool derives_from(const Roles& roles, const ProjectIndex& index, ClassKey c, Role role);

// The role that a method of this name has in a class that the project derives one from, or that all methods of that
// class have. Null: none.
const RoleEntry* role_of_method(const Roles& roles, const ProjectIndex& index, ClassKey c, std::string_view method,
                                Role role);
// That of a function which is such a method itself.
const RoleEntry* role_of_method(const Roles& roles, const ProjectIndex& index, FunctionKey method, Role role);

}  // namespace ranklint
