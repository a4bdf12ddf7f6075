#include "frontends/cpp/writes.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include "frontends/cpp/names.h"

namespace ranklint::cpp {

const clang::VarDecl* variable_of(const clang::Expr* e) {
  const auto* reference = e ? llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts()) : nullptr;
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

namespace {

class Writes : public clang::RecursiveASTVisitor<Writes> {
 public:
  Writes(const clang::VarDecl* v, bool through_pointers) : v_(v), through_pointers_(through_pointers) {}
  bool found = false;

  bool VisitBinaryOperator(clang::BinaryOperator* b) {
    if (b->isAssignmentOp() && variable_of(b->getLHS()) == v_) found = true;
    return !found;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* u) {
    if ((u->isIncrementDecrementOp() || u->getOpcode() == clang::UO_AddrOf) && variable_of(u->getSubExpr()) == v_) found = true;
    return !found;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* f = call->getDirectCallee();
    for (unsigned i = 0; f && i < call->getNumArgs() && i < f->getNumParams(); ++i) {
      const clang::QualType type = f->getParamDecl(i)->getType();
      const bool is_out = is_out_parameter(type) && (through_pointers_ || type->isReferenceType());
      if (is_out && variable_of(call->getArg(i)) == v_) found = true;
    }
    return !found;
  }

 private:
  const clang::VarDecl* v_;
  bool through_pointers_;
};

bool finds(const clang::Stmt& statement, const clang::VarDecl& variable, bool through_pointers) {
  Writes visitor(&variable, through_pointers);
  visitor.TraverseStmt(const_cast<clang::Stmt*>(&statement));
  return visitor.found;
}

}  // namespace

bool writes(const clang::Stmt& statement, const clang::VarDecl& variable) { return finds(statement, variable, true); }

bool sets(const clang::Stmt& statement, const clang::VarDecl& variable) { return finds(statement, variable, false); }

}  // namespace ranklint::cpp
