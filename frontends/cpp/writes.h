// Which variable an expression is, and what writes one.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace ranklint::cpp {

const clang::VarDecl* variable_of(const clang::Expr* e);  // null: it is none

// Whether a statement writes the variable or lets others do it; of a pointer, what it points to counts as the variable.
bool writes(const clang::Stmt& statement, const clang::VarDecl& variable);
// The variable itself, of a pointer too.
bool sets(const clang::Stmt& statement, const clang::VarDecl& variable);

}  // namespace ranklint::cpp
