#include "frontends/cpp/writes.h"

#include <clang/AST/ExprCXX.h>

#include "frontends/cpp/names.h"
#include "frontends/cpp/statements.h"

namespace ranklint::cpp {

const clang::VarDecl* variable_of(const clang::Expr* e) {
  const auto* reference = e ? llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts()) : nullptr;
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

namespace {

// Whether this one statement, and nothing below it, writes `variable`.
bool writes_here(const clang::Stmt& statement, const clang::VarDecl& variable, bool through_pointers) {
  if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(&statement))
    return b->isAssignmentOp() && variable_of(b->getLHS()) == &variable;
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(&statement))
    return (u->isIncrementDecrementOp() || u->getOpcode() == clang::UO_AddrOf) &&
           variable_of(u->getSubExpr()) == &variable;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
  const clang::FunctionDecl* f = call ? call->getDirectCallee() : nullptr;
  for (unsigned i = 0; f && i < call->getNumArgs() && i < f->getNumParams(); ++i) {
    const clang::QualType type = f->getParamDecl(i)->getType();
    const bool is_out = is_out_parameter(type) && (through_pointers || type->isReferenceType());
    if (is_out && variable_of(call->getArg(i)) == &variable) return true;
  }
  return false;
}

bool finds(const clang::Stmt& statement, const clang::VarDecl& variable, bool through_pointers) {
  return !walk_statements(&statement, [&](const clang::Stmt& below) {
    return writes_here(below, variable, through_pointers) ? Walk::Stop : Walk::Into;
  });
}

}  // namespace

bool writes(const clang::Stmt& statement, const clang::VarDecl& variable) { return finds(statement, variable, true); }

bool sets(const clang::Stmt& statement, const clang::VarDecl& variable) { return finds(statement, variable, false); }

}  // namespace ranklint::cpp
